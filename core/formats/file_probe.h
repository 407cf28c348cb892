// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace hloscope {

// What the bytes of a file look like.
enum class ContentKind {
    Empty,
    HloText,
    HloProto,
    HloModuleProto,
    HloSnapshot,
    XSpace,
    ChromeTrace,
    PerfettoTrace,
    HeapProfile,
    MangledBinary, // a binary file that went through a text conversion, see isMangledText()
    Other,
};

// Looks at the first bytes only (the wire format of protobuf has no magic number: the fields of the first messages are
// compared with those of each kind). Bytes that are cut off or damaged further on do not matter.
ContentKind probeContent(std::string_view bytes);

// For a message: "a PNG picture", "an ELF program or library", "text", "binary data". Meant for ContentKind::Other.
std::string_view describeOther(std::string_view bytes);

} // namespace hloscope
