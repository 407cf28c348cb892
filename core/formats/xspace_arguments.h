// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_index.h"
#include "core/support/file_bytes.h"
#include "core/trace/trace.h"

#include <memory>
#include <vector>

namespace hloscope {

// Decodes the stats of events when they are asked for, from the file's bytes. A reference is the offset of
// the field `events` in the file.
class XSpaceArguments : public ArgumentSource {
public:
    XSpaceArguments(std::shared_ptr<const FileBytes> file, std::vector<XPlaneIndex> planes);

    // Stats of the event, then those of its metadata that the event does not override, in the order of the file.
    std::vector<Argument> decode(uint64_t reference) const override;

private:
    const XPlaneIndex* planeAt(uint64_t offset) const;

    std::shared_ptr<const FileBytes> m_file;
    std::vector<XPlaneIndex> m_planes; // in the order of the file
};

// Stats of a message: `statsField` is their field number in it.
std::vector<XStat> decodeXStats(std::string_view message, uint32_t statsField, const XStatNames& names);

} // namespace hloscope
