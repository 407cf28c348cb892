// SPDX-License-Identifier: Apache-2.0
//
// hloscope-graph-layout: reads layout requests on stdin and answers each on stdout, until stdin ends. Messages are
// those of core/graph/graph_layout.proto. A request beyond the limits gets a reply with an error; bytes that are no
// request get one too and end the program with status 1, since the next message could not be found.
#include "app/graph_layout/dot_layout.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

using namespace hloscope;

namespace {

bool send(const std::string& message)
{
    const std::string bytes = framed(message);
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
}

int fail(const std::string& message)
{
    send(errorToWire(message));
    std::fprintf(stderr, "hloscope-graph-layout: %s\n", message.c_str());
    return 1;
}

std::string answer(DotEngine& engine, const LayoutProblem& problem)
{
    if (const auto reason = whyRefused(problem))
        return errorToWire(*reason);
    const Expected<LayoutResult> result = engine.layOut(problem);
    return result ? toWire(*result) : errorToWire(result.error().message);
}

} // namespace

int main()
{
    DotEngine engine;
    while (true) {
        char prefix[kFramePrefixBytes];
        const size_t got = std::fread(prefix, 1, sizeof prefix, stdin);
        if (got == 0)
            return std::ferror(stdin) ? fail("stdin cannot be read") : 0;
        if (got < sizeof prefix)
            return fail("stdin ends inside a length");
        const uint32_t length = frameLength(prefix);
        if (length > LayoutProblem::kMaxMessageBytes)
            return fail(fmt::format("a message of {} bytes is more than the limit of {}", length,
                                    LayoutProblem::kMaxMessageBytes));
        std::string message(length, '\0');
        if (std::fread(message.data(), 1, length, stdin) < length)
            return fail("stdin ends inside a message");
        const auto problem = problemFromWire(message);
        if (!problem)
            return fail("the message is no layout request");
        if (!send(answer(engine, *problem)))
            return 1;
    }
}
