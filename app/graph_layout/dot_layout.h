// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/layout_problem.h"

#include <memory>

namespace hloscope {

// The "dot" engine of Graphviz. Not thread-safe; one object per process.
class DotEngine {
public:
    DotEngine();
    ~DotEngine();

    // Error: Graphviz cannot do it, for example because its plug-ins are not installed. A problem that is refused by
    // whyRefused() must not get here.
    Expected<LayoutResult> layOut(const LayoutProblem& problem);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace hloscope
