/* SPDX-License-Identifier: MIT
 *
 * The rows on the pages of a SQLite file, read without SQLite.
 *
 * SQLite finds a row by its way down a tree, and gives up where the way is broken: of a file cut
 * short it reads nothing at all. But a row stands whole on its page (a long one goes on on overflow
 * pages), so every page that looks like a leaf is asked for its rows, wherever it is. What they are
 * worth is for the caller to say: all that is promised here is that nothing beyond the file is
 * read.
 *
 * The format: https://www.sqlite.org/fileformat2.html. Beside the file there may be a write-ahead
 * log or a rollback journal, which hold pages too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study/store_pages.h"

enum { USUAL_PAGE = 4096, LEAF_OF_TABLE = 13, LEAF_OF_INDEX = 10, BRANCH_OF_INDEX = 2 };

struct file {
    unsigned char *bytes;
    size_t size;
};

struct pages {
    struct file file;
    size_t first;   /* where the first page is */
    size_t between; /* what stands between a page and the next */
    size_t page, usable;
    size_t read;            /* how many pages so far, of all files */
    unsigned char *payload; /* of a row that goes on on other pages; as large as the file */
    store_visit_row *visit;
    void *user;
};

/* What is left to read of a piece; `bad` once there was less than asked for. */
struct piece {
    const unsigned char *at;
    size_t left;
    bool bad;
};

static uint64_t take_number(struct piece *piece, size_t bytes)
{
    uint64_t number = 0;
    if (bytes > piece->left) {
        piece->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | piece->at[i];
    piece->at += bytes;
    piece->left -= bytes;
    return number;
}

/* SQLite's varint: seven bits a byte, the ninth byte whole. */
static uint64_t take_varint(struct piece *piece)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t byte = take_number(piece, 1);
        number = number << 7 | (byte & 0x7f);
        if (byte < 0x80)
            return number;
    }
    return number << 8 | take_number(piece, 1);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void take_value(struct piece *body, uint64_t type, struct store_value *out)
{
    static const size_t WIDTHS[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    *out = (struct store_value){.kind = STORE_NULL};
    if (type >= 12) {
        out->kind = type % 2 ? STORE_TEXT : STORE_BLOB;
        out->length = (size_t)((type - 12) / 2);
        out->text = (const char *)body->at;
        body->bad |= out->length > body->left;
        body->at += body->bad ? 0 : out->length;
        body->left -= body->bad ? 0 : out->length;
    } else if (type == 7) {
        const uint64_t bits = take_number(body, 8);
        out->kind = STORE_REAL;
        memcpy(&out->real, &bits, sizeof bits);
    } else if (type >= 1 && type <= 9) {
        const size_t width = WIDTHS[type];
        const uint64_t bits = take_number(body, width);
        const uint64_t sign = width ? UINT64_C(1) << (8 * width - 1) : 0;
        out->kind = STORE_INTEGER;
        out->integer = type == 9 ? 1 : (int64_t)((bits ^ sign) - sign);
    } else if (type != 0) {
        body->bad = true;
    }
}

static void read_record(const struct pages *pages, struct piece record, struct store_row *row)
{
    struct piece types = record;
    const uint64_t header = take_varint(&types);
    const size_t taken = record.left - types.left;
    if (header < taken || header > record.left)
        return;
    types.left = (size_t)header - taken;
    struct piece body = {record.at + header, record.left - (size_t)header, types.bad};
    while (types.left > 0 && row->count < STORE_COLUMNS && !types.bad && !body.bad)
        take_value(&body, take_varint(&types), &row->values[row->count++]);
    if (types.left == 0 && body.left == 0 && !types.bad && !body.bad)
        pages->visit(pages->user, row);
}

/* ---- cells ------------------------------------------------------------------------------------
 */

static struct piece page_at(const struct pages *pages, size_t index)
{
    const size_t stride = pages->page + pages->between;
    if (index >= pages->file.size / stride + 1)
        return (struct piece){.bad = true};
    const size_t at = pages->first + index * stride;
    if (at + pages->page > pages->file.size)
        return (struct piece){.bad = true};
    return (struct piece){pages->file.bytes + at, pages->usable, false};
}

/* Copies the `local` bytes at hand and what stands on the pages that follow. */
static struct piece gather(const struct pages *pages, struct piece cell, size_t local, size_t size)
{
    const struct piece none = {.bad = true};
    if (size > pages->file.size || local + 4 > cell.left)
        return none;
    memcpy(pages->payload, cell.at, local);
    cell.at += local;
    cell.left -= local;
    for (size_t have = local; have < size;) {
        const uint64_t next = take_number(&cell, 4);
        cell = page_at(pages, next == 0 ? SIZE_MAX : (size_t)next - 1);
        if (cell.bad)
            return none;
        const size_t here = size - have < cell.left - 4 ? size - have : cell.left - 4;
        memcpy(pages->payload + have, cell.at + 4, here);
        have += here;
    }
    return (struct piece){pages->payload, size, false};
}

static void read_cell(const struct pages *pages, struct piece cell, unsigned kind)
{
    const size_t u = pages->usable, least = (u - 12) * 32 / 255 - 23;
    const size_t most = kind == LEAF_OF_TABLE ? u - 35 : (u - 12) * 64 / 255 - 23;
    struct store_row row = {.has_id = kind == LEAF_OF_TABLE, .page = pages->read};
    if (kind == BRANCH_OF_INDEX)
        take_number(&cell, 4);
    const uint64_t size = take_varint(&cell);
    if (row.has_id)
        row.id = (int64_t)take_varint(&cell);
    if (cell.bad)
        return;
    if (size <= most) {
        if (size <= cell.left)
            read_record(pages, (struct piece){cell.at, (size_t)size, false}, &row);
        return;
    }
    const size_t local = least + (size_t)((size - least) % (u - 4));
    const struct piece record = gather(pages, cell, local <= most ? local : least, (size_t)size);
    if (!record.bad)
        read_record(pages, record, &row);
}

static void read_page(const struct pages *pages, struct piece page)
{
    struct piece head = page;
    const unsigned kind = (unsigned)take_number(&head, 1);
    if (kind != LEAF_OF_TABLE && kind != LEAF_OF_INDEX && kind != BRANCH_OF_INDEX)
        return;
    take_number(&head, 2);
    const uint64_t cells = take_number(&head, 2);
    take_number(&head, kind == BRANCH_OF_INDEX ? 7 : 3);
    for (uint64_t i = 0; i < cells && !head.bad; i++) {
        const size_t at = (size_t)take_number(&head, 2);
        if (at < page.left)
            read_cell(pages, (struct piece){page.at + at, page.left - at, false}, kind);
    }
}

/* ---- files ------------------------------------------------------------------------------------
 */

static enum rl_status read_all(const char *path, struct file *out, struct rl_error *error)
{
    struct stat about;
    *out = (struct file){0};
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) /* a device may never end */
        return rl_error_set(error, RL_IO, "%s is not a regular file", path);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return rl_error_set(error, RL_IO, "%s cannot be read", path);
    enum rl_status status = RL_OK;
    for (size_t room = 1 << 16, got = 1; !status && got > 0; room *= 2) {
        unsigned char *larger = realloc(out->bytes, room);
        if (!larger) {
            status = RL_NO_MEMORY;
            break;
        }
        out->bytes = larger;
        got = fread(out->bytes + out->size, 1, room - out->size, stream);
        out->size += got;
    }
    if (!status && ferror(stream))
        status = rl_error_set(error, RL_IO, "%s cannot be read", path);
    fclose(stream);
    return status;
}

/* The size of pages and how much of each is used, as the head of the file has it. */
static size_t page_size_of(const struct file *file, size_t *reserved_out)
{
    *reserved_out = 0;
    if (file->size < 100 || memcmp(file->bytes, "SQLite format 3", 16) != 0)
        return USUAL_PAGE;
    size_t size = (size_t)file->bytes[16] << 8 | file->bytes[17];
    size = size == 1 ? 65536 : size;
    if (size < 512 || (size & (size - 1)) != 0)
        return USUAL_PAGE;
    *reserved_out = file->bytes[20] <= size - 480 ? file->bytes[20] : 0;
    return size;
}

static void read_pages(struct pages *pages)
{
    for (size_t i = 0; i <= pages->file.size / (pages->page + pages->between); i++) {
        const struct piece page = page_at(pages, i);
        pages->read++;
        if (!page.bad)
            read_page(pages, page);
    }
}

/* The file itself, or one beside it, which need not be there. */
static enum rl_status read_one(const char *path, const char *suffix, struct pages *pages,
                               size_t *reserved, struct rl_error *error)
{
    char name[STORE_PATH + 16];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    enum rl_status status = read_all(name, &pages->file, error);
    if (status == RL_IO && suffix[0])
        status = RL_OK;
    if (!status && !suffix[0])
        pages->page = page_size_of(&pages->file, reserved);
    pages->usable = pages->page - *reserved;
    pages->payload = malloc(pages->file.size + 1);
    if (!status && !pages->payload)
        status = RL_NO_MEMORY;
    if (!status)
        read_pages(pages);
    if (!status && (pages->page != USUAL_PAGE || *reserved > 0)) {
        /* The head may be what is damaged. */
        struct pages usual = *pages;
        usual.page = usual.usable = USUAL_PAGE;
        read_pages(&usual);
        pages->read = usual.read;
    }
    free(pages->payload);
    free(pages->file.bytes);
    return status;
}

enum rl_status store_read_pages(const char *path, store_visit_row *visit, void *user,
                                struct rl_error *error)
{
    /* A log has a head of 32 bytes and 24 before each page; a journal a head of 512, the number of
     * the page before it and a checksum after it. */
    static const struct {
        const char *suffix;
        size_t first, between;
    } FILES[] = {{"", 0, 0}, {"-wal", 32 + 24, 24}, {"-journal", 512 + 4, 8}};
    struct pages pages = {.visit = visit, .user = user};
    size_t reserved = 0;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && !status; i++) {
        pages.first = FILES[i].first;
        pages.between = FILES[i].between;
        status = read_one(path, FILES[i].suffix, &pages, &reserved, error);
    }
    return status;
}
