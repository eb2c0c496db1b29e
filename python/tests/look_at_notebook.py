# SPDX-License-Identifier: MIT
"""The executed notebook: every cell ran, and what should be seen is there. look_at_notebook.py FILE."""
import json
import sys

cells = [cell for cell in json.load(open(sys.argv[1]))["cells"] if cell["cell_type"] == "code"]
outputs = [output for cell in cells for output in cell["outputs"]]
assert all(cell["execution_count"] for cell in cells), "a cell was not executed"
assert not [output for output in outputs if output["output_type"] == "error"]
shown = [output.get("data", {}) for output in outputs]
text = json.dumps(shown)
svgs = [data for data in shown if "image/svg+xml" in data]
pngs = [data for data in shown if "image/png" in data]
assert len(svgs) >= 1, "no ring was drawn"
assert len(pngs) == 2, "a plot is missing"
assert text.count("<svg") >= 3, "a picture is missing"
assert "u<sub>683</sub> leads after 4,912,509 steps" in text
assert "not self-stabilizing" in text
assert "self-stabilizing</p>" in text.replace("not self-stabilizing</p>", "")
print(f"{len(cells)} cells, {text.count('<svg')} drawings, {len(pngs)} plots")
