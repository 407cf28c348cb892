// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/xspace_reader.h"
#include "core/support/file_bytes.h"

#include "xplane.pb.h"

#include <string>

namespace testdata {

// Makes messages of a plane with as few words as possible. Everything goes through protobuf's own classes.
class PlaneMaker {
public:
    PlaneMaker(hloscope::proto::XSpace& space, const std::string& name) : m_plane(*space.add_planes())
    {
        m_plane.set_name(name);
    }

    int64_t statName(const std::string& name)
    {
        const int64_t id = m_nextStat++;
        (*m_plane.mutable_stat_metadata())[id].set_id(id);
        (*m_plane.mutable_stat_metadata())[id].set_name(name);
        return id;
    }

    hloscope::proto::XEventMetadata& kind(int64_t id, const std::string& name, const std::string& displayName = {})
    {
        hloscope::proto::XEventMetadata& metadata = (*m_plane.mutable_event_metadata())[id];
        metadata.set_id(id);
        metadata.set_name(name);
        metadata.set_display_name(displayName);
        return metadata;
    }

    hloscope::proto::XLine& line(const std::string& name, int64_t timestampNs, int64_t id = 0)
    {
        hloscope::proto::XLine& line = *m_plane.add_lines();
        line.set_name(name);
        line.set_id(id);
        line.set_timestamp_ns(timestampNs);
        return line;
    }

    static hloscope::proto::XEvent& event(hloscope::proto::XLine& line, int64_t kind, int64_t offsetPs,
                                          int64_t durationPs)
    {
        hloscope::proto::XEvent& event = *line.add_events();
        event.set_metadata_id(kind);
        event.set_offset_ps(offsetPs);
        event.set_duration_ps(durationPs);
        return event;
    }

    template <class Owner> static hloscope::proto::XStat& stat(Owner& owner, int64_t name)
    {
        hloscope::proto::XStat& stat = *owner.add_stats();
        stat.set_metadata_id(name);
        return stat;
    }

    hloscope::proto::XPlane& plane() { return m_plane; }

private:
    hloscope::proto::XPlane& m_plane;
    int64_t m_nextStat = 1;
};

constexpr int64_t kSessionStart = 1'795'968'980'119'531'919; // Unix time in nanoseconds

inline void addTaskEnvironment(hloscope::proto::XSpace& space)
{
    PlaneMaker maker(space, "Task Environment");
    PlaneMaker::stat(maker.plane(), maker.statName("profile_start_time"))
        .set_uint64_value(static_cast<uint64_t>(kSessionStart));
}

// A device plane with modules, nested ops and one stat of each kind, a host plane and a module in the metadata plane.
inline hloscope::proto::XSpace smallXSpace()
{
    hloscope::proto::XSpace space;
    {
        PlaneMaker maker(space, "/device:TPU:0");
        const int64_t category = maker.statName("hlo_category");
        const int64_t program = maker.statName("program_id");
        const int64_t fusionText = maker.statName("loop fusion");
        const int64_t runId = maker.statName("run_id");
        PlaneMaker::stat(maker.plane(), maker.statName("peak_teraflops_per_second")).set_double_value(946.7);
        maker.kind(1, "jit_step(7)");
        auto& op = maker.kind(2, "%fusion.1 = f32[8]{0} fusion(f32[8]{0} %p), kind=kLoop", "fusion.1");
        PlaneMaker::stat(op, category).set_ref_value(static_cast<uint64_t>(fusionText));
        PlaneMaker::stat(op, program).set_uint64_value(7);
        auto& loop = maker.kind(3, "%while.2 = (f32[8]{0}) while((f32[8]{0}) %t), body=%b", "while.2");
        PlaneMaker::stat(loop, category).set_str_value("while");
        PlaneMaker::stat(loop, program).set_uint64_value(7);
        auto& modules = maker.line("XLA Modules", 2, 4);
        PlaneMaker::stat(PlaneMaker::event(modules, 1, 0, 5000), runId).set_int64_value(-3);
        auto& ops = maker.line("XLA Ops", 2, 5);
        PlaneMaker::event(ops, 3, 100, 900);
        PlaneMaker::event(ops, 2, 200, 300);
        PlaneMaker::event(ops, 2, 600, 300);
    }
    {
        PlaneMaker maker(space, "/host:CPU");
        maker.kind(1, "$profiler.py:151 start_trace");
        auto& python = maker.line("python", 1, -5935385610924296286);
        PlaneMaker::event(python, 1, 500, 70);
    }
    {
        PlaneMaker maker(space, "/host:metadata");
        const int64_t proto = maker.statName("Hlo Proto");
        const int64_t program = maker.statName("program_id");
        auto& module = maker.kind(12, "jit_step(7)");
        PlaneMaker::stat(module, proto).set_bytes_value("not really a module");
        PlaneMaker::stat(module, program).set_uint64_value(7);
    }
    addTaskEnvironment(space);
    space.add_hostnames("host0");
    return space;
}

inline hloscope::Expected<hloscope::XSpaceContents> read(const std::string& bytes,
                                                         const hloscope::XSpaceOptions& options = {})
{
    return hloscope::readXSpace(hloscope::FileBytes::fromString(bytes, "small.xplane.pb"), options);
}

inline hloscope::Expected<hloscope::XSpaceContents> read(const hloscope::proto::XSpace& space)
{
    return read(space.SerializeAsString());
}

} // namespace testdata
