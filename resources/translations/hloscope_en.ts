<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>RowWords</name>
    <message numerus="yes">
        <source>, %n empty line(s) hidden</source>
        <translation>
            <numerusform>, %n empty line hidden</numerusform>
            <numerusform>, %n empty lines hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SampleWords</name>
    <message numerus="yes">
        <source>%1 instruction(s)</source>
        <translation>
            <numerusform>%1 instruction</numerusform>
            <numerusform>%1 instructions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 event(s)</source>
        <translation>
            <numerusform>%1 event</numerusform>
            <numerusform>%1 events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineHover</name>
    <message numerus="yes">
        <source>%n more value(s): select the event to see them</source>
        <translation>
            <numerusform>%n more value: select the event to see them</numerusform>
            <numerusform>%n more values: select the event to see them</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::GotoModel</name>
    <message numerus="yes">
        <source>%1 instruction(s)</source>
        <translation>
            <numerusform>%1 instruction</numerusform>
            <numerusform>%1 instructions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::MemoryView</name>
    <message numerus="yes">
        <source>%n buffer(s), %1</source>
        <translation>
            <numerusform>%n buffer, %1</numerusform>
            <numerusform>%n buffers, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::NavigatorModel</name>
    <message numerus="yes">
        <source>%1 more computation(s)</source>
        <translation>
            <numerusform>%1 more computation</numerusform>
            <numerusform>%1 more computations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more instruction(s)</source>
        <translation>
            <numerusform>%1 more instruction</numerusform>
            <numerusform>%1 more instructions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::OpenNotices</name>
    <message numerus="yes">
        <source>%1, and %n more problem(s)</source>
        <translation>
            <numerusform>%1, and %n more problem</numerusform>
            <numerusform>%1, and %n more problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n item(s) skipped</source>
        <translation>
            <numerusform>%1: %n item skipped</numerusform>
            <numerusform>%1: %n items skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::ProblemsPane</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::SelectionTable</name>
    <message numerus="yes">
        <source> on %n line(s)</source>
        <translation>
            <numerusform> on %n line</numerusform>
            <numerusform> on %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::StatusRow</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 instruction(s)</source>
        <translation>
            <numerusform>%1 instruction</numerusform>
            <numerusform>%1 instructions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 computation(s)</source>
        <translation>
            <numerusform>%1 computation</numerusform>
            <numerusform>%1 computations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 event(s)</source>
        <translation>
            <numerusform>%1 event</numerusform>
            <numerusform>%1 events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 plane(s)</source>
        <translation>
            <numerusform>%1 plane</numerusform>
            <numerusform>%1 planes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>hloscope::TimelineView</name>
    <message numerus="yes">
        <source>%n op(s) have no time, so the step is at least %1.</source>
        <translation>
            <numerusform>%n op has no time, so the step is at least %1.</numerusform>
            <numerusform>%n ops have no time, so the step is at least %1.</numerusform>
        </translation>
    </message>
</context>
</TS>
