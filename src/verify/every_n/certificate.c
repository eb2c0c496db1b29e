/* SPDX-License-Identifier: MIT
 *
 * Certificates, written: words and numbers with white space between, in the order in which they are
 * needed. certificate_check.c reads them.
 */
#include "ringleader/prove.h"

#include <assert.h>

#include "ringleader/status.h"
#include "base/printer.h"
#include "verify/every_n/proof.h"

static void print_head(struct printer *printer, const struct rl_every_n *answer)
{
    const struct rl_table *table = &answer->proof->table;
    const struct rl_protocol *protocol = table->protocol;
    print(printer, "ringleader certificate 3\nprogram_version %s\nprotocol %s\n", rl_version(),
          protocol->name);
    print(printer, "tied compiled-without-n no-writable-data no-calls-outside\n");
    print(printer, "assumes defined-c\n");
    print(printer, "parameters %zu", protocol->parameter_count);
    for (size_t i = 0; i < protocol->parameter_count; i++)
        print(printer, " %s %u", protocol->parameters[i].name, table->params.value[i]);
    print(printer, "\ntarget %s\nsizes %u", protocol->sets[protocol->target].name, answer->period);
    for (uint32_t n = 0; n < answer->period; n++)
        print(printer, " %d", answer->sizes[n]);
    print(printer, "\nleast %u\nfrom %u\n", answer->least, answer->proved_from);
    size_t decided = 0;
    for (size_t i = 0; i < answer->small_count; i++)
        decided += answer->small[i]->decided;
    print(printer, "enumerated %zu", decided);
    for (size_t i = 0; i < answer->small_count; i++)
        if (answer->small[i]->decided)
            print(printer, "  %u %d", answer->small[i]->n,
                  answer->small[i]->answer.self_stabilizing);
    print(printer, "\n");
}

static void print_meet(struct printer *printer, const struct rl_alphabet *alphabet, bool report)
{
    const size_t letters = alphabet->letters;
    print(printer, report ? "speaking\n" : "silent\n");
    for (size_t i = 0; i < letters * letters; i++)
        print(printer, "%u %u%s", alphabet->meet[report][i].l, alphabet->meet[report][i].r,
              i % letters + 1 < letters ? "  " : "\n");
}

static void print_letters(struct printer *printer, const struct rl_every_n_proof *proof)
{
    const struct rl_alphabet *alphabet = &proof->plain;
    print(printer, "letters %u\n", alphabet->letters);
    for (uint32_t c = 0; c < alphabet->letters; c++) {
        const rl_state state = proof->table.word[proof->classes.first[c]];
        print(printer, "%s %d\n", rl_ring_state(proof->table.protocol, state).text,
              alphabet->leads[c]);
    }
    print(printer, "states %u\n", proof->table.states);
    for (uint32_t s = 0; s < proof->table.states; s++)
        print(printer, "%u%s", proof->classes.of[s], s + 1 < proof->table.states ? " " : "\n");
    print(printer, "oracle %d\n", alphabet->meet[1] != NULL);
    for (int report = 0; report < 2 && alphabet->meet[report]; report++)
        print_meet(printer, alphabet, report);
}

static void print_automaton(struct printer *printer, const struct rl_automaton *automaton)
{
    print(printer, "automaton %u\n", automaton->states);
    for (uint32_t s = 0; s < automaton->states; s++) {
        print(printer, "%d ", automaton->accepts[s]);
        for (uint32_t a = 0; a < automaton->letters; a++)
            print(printer, " %u", rl_automaton_step(automaton, s, (rl_letter)a));
        print(printer, "\n");
    }
}

static void print_chain(struct printer *printer, const struct rl_chain *chain, const char *name)
{
    print(printer, "stage %s %u\n", name, chain->count);
    print_automaton(printer, &chain->sets[0]);
    for (uint32_t i = 0; i < chain->count; i++) {
        print(printer, "move %s\n", rl_move_name(chain->moves[i]));
        print_automaton(printer, &chain->sets[i + 1]);
    }
}

enum rl_status rl_certificate_write(const struct rl_every_n *answer, void *user, rl_put put)
{
    assert(answer->safe && "nothing was proved");
    struct printer printer = {user, put, false};
    const struct rl_every_n_proof *proof = answer->proof;
    print_head(&printer, answer);
    print_letters(&printer, proof);
    print_automaton(&printer, &proof->set[proof->table.protocol->target]);
    if (answer->proved_from > 0) {
        print_chain(&printer, &proof->chains[RL_STAGE_ONE], "one");
        print_chain(&printer, &proof->chains[RL_STAGE_NONE], "none");
        print_chain(&printer, &proof->chains[RL_STAGE_MANY], "many");
    }
    print(&printer, "end\n");
    return printer.failed ? RL_IO : RL_OK;
}
