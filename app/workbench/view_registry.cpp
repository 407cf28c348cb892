// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/view_registry.h"

#include "views/graph/graph_view.h"
#if __has_include("views/hlo_text/hlo_text_view.h")
#include "views/hlo_text/hlo_text_view.h"
#define HAVE_HLO
#endif
#if __has_include("views/inspector/inspector.h")
#include "views/inspector/inspector.h"
#define HAVE_INSPECTOR
#endif
#if __has_include("views/memory/memory_view.h")
#include "views/memory/memory_view.h"
#define HAVE_MEMORY
#endif
#include "views/tiling/layout_view.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>

namespace hloscope {

namespace {

struct Tabs {
    Q_DECLARE_TR_FUNCTIONS(Tabs)
};

template <class T> View* makeView(Workspace& workspace, Selection& selection, QWidget* parent)
{
    return new T(workspace, selection, parent);
}

} // namespace

std::vector<ViewKind> viewKinds()
{
    return {
        {QStringLiteral("timeline"), Tabs::tr("Timeline"), makeView<TimelineView>},
        {QStringLiteral("graph"), Tabs::tr("Graph"), makeView<GraphView>},
#ifdef HAVE_HLO
        {QStringLiteral("hlo"), Tabs::tr("HLO"), makeView<HloTextView>},
#endif
#ifdef HAVE_MEMORY
        {QStringLiteral("memory"), Tabs::tr("Memory"), makeView<MemoryView>},
#endif
        {QStringLiteral("layout"), Tabs::tr("Layout"), makeView<LayoutView>},
    };
}

QWidget* makeInspector([[maybe_unused]] Workspace& workspace, [[maybe_unused]] Selection& selection, QWidget* parent)
{
#ifdef HAVE_INSPECTOR
    return new Inspector(workspace, selection, parent);
#else
    return new QWidget(parent);
#endif
}

} // namespace hloscope
