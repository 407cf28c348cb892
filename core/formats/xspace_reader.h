// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_modules.h"
#include "core/support/expected.h"
#include "core/support/file_bytes.h"
#include "core/support/progress.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <vector>

namespace hloscope {

struct XSpaceOptions {
    ModuleOpener openModule; // may be empty: then events know the names of their modules only
};

struct XSpaceContents {
    std::shared_ptr<const Trace> trace; // Trace::modules holds the modules that could be opened
    std::vector<EmbeddedModule> modules; // with views into the file
};

// Reads a profile (XSpace, *.xplane.pb). All planes, lines and events are read; the stats of events stay in the file
// and are decoded when asked for (Trace::arguments()), so that the file's bytes live as long as the trace. One pass
// over the events, 37 bytes per event.
//
// Times: a line begins at its timestamp, an event at its offset from there. Files of JAX count from the start of the
// session, which the plane "Task Environment" gives as a wall-clock time; files of collectors count from 1970, and
// the session start (or else the first line) is subtracted.
//
// A file that is cut off or damaged gives what can be read, with a diagnostic and byte offset in Trace::problems for
// each place; lengths are never trusted. Errors: no plane can be read; cancelled.
Expected<XSpaceContents> readXSpace(std::shared_ptr<const FileBytes> file, const XSpaceOptions& options = {},
                                    Progress* progress = nullptr);

} // namespace hloscope
