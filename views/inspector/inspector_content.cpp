// SPDX-License-Identifier: Apache-2.0
#include "views/inspector/inspector_content.h"

#include "core/analysis/module_facts.h"
#include "views/common/elided_label.h"
#include "views/common/theme.h"
#include "views/inspector/panel_widgets.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr size_t kFewLinks = 12;
constexpr qint64 kMaxSourceBytes = 8 << 20;
constexpr int kMaxSourceLineLength = 400;

constexpr PanelTextStyle kName{PanelTextStyle::Ink::Text, 14, true, true, Qt::AlignLeft};
constexpr PanelTextStyle kSecondary{PanelTextStyle::Ink::Secondary, 12, false, false, Qt::AlignLeft};
constexpr PanelTextStyle kBody{PanelTextStyle::Ink::Text, 13, false, false, Qt::AlignLeft};
constexpr PanelTextStyle kMono{PanelTextStyle::Ink::Text, 12, true, false, Qt::AlignLeft};
constexpr PanelTextStyle kMonoSecondary{PanelTextStyle::Ink::Secondary, 12, true, false, Qt::AlignLeft};

// A label that must not be squeezed: it keeps the width of its text.
PanelText* keepWidth(PanelText* text)
{
    text->setMinimumWidth(text->sizeHint().width());
    return text;
}

ElidedLabel* dimLabel(const QString& text)
{
    auto* label = new ElidedLabel(text, Qt::ElideRight);
    label->setFont(ThemeManager::instance().uiFont(12));
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, theme().text2);
    label->setPalette(palette);
    return label;
}

} // namespace

InspectorContent::InspectorContent(const Workspace& workspace, Selection& selection, bool showAllLinks, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_state(selection.state())
    , m_showAllLinks(showAllLinks)
    , m_box(new QVBoxLayout(this))
{
    m_box->setContentsMargins(0, 4, 0, 12);
    m_box->setSpacing(0);
    setMinimumWidth(1); // rows wrap and give way: the panel never scrolls sideways
    if (m_state.module && m_state.instruction.isValid())
        showOp();
    else if (m_state.trace && m_state.event.isValid())
        showEvent();
    else if (m_state.module && m_state.computation.isValid())
        showComputation();
    else if (m_state.module)
        showModule();
    else
        showNothing();
    m_box->addStretch();
}

PanelSection* InspectorContent::addSection(const QString& caption)
{
    auto* section = new PanelSection(caption, this);
    section->setLineVisible(m_box->count() > 0);
    m_box->addWidget(section);
    return section;
}

QString InspectorContent::plainText() const
{
    QStringList lines;
    const auto collect = [&lines](const QWidget* widget, const auto& self) -> void {
        for (const QObject* child : widget->children()) {
            const auto* part = qobject_cast<const QWidget*>(child);
            if (!part)
                continue;
            if (const auto* text = qobject_cast<const PanelText*>(part))
                lines << text->text();
            else if (const auto* link = qobject_cast<const PanelLink*>(part))
                lines << link->text();
            else if (const auto* chip = qobject_cast<const CategoryChip*>(part))
                lines << chip->text();
            else
                self(part, self);
        }
    };
    collect(this, collect);
    return lines.join(QLatin1Char('\n'));
}

void InspectorContent::showNothing()
{
    auto* section = addSection({});
    section->addText(tr("Nothing is selected. Click an op in any view, and this panel takes it apart."), kBody);
}

void InspectorContent::showModule()
{
    const HloModule& module = *m_state.module;
    auto* header = addSection({});
    header->addText(toQString(module.name), kName);
    header->addText(tr("HLO module"), kSecondary);
    auto* facts = addSection(tr("Module"));
    facts->addRow(tr("Computations"), formatCount(static_cast<qint64>(module.computations.size())));
    facts->addRow(tr("Instructions"), formatCount(static_cast<qint64>(module.instructions.size())));
    facts->addRow(tr("Partitions"), formatCount(module.numPartitions));
    facts->addRow(tr("Replicas"), formatCount(module.replicaCount));
    facts->addRow(tr("Scheduled"), module.isScheduled ? tr("yes") : tr("no"));
    if (const ModuleEntry* entry = m_workspace.entry(&module); entry && entry->chip) {
        const QString chip = toQString(entry->chip->name);
        facts->addRow(tr("Chip"), entry->chipIsGuessed ? tr("%1, assumed").arg(chip) : chip);
    }
    if (module.entry.isValid()) {
        auto* entry = addSection(tr("Entry"));
        addComputationLink(entry, module.entry, toQString(module.entryComputation().name));
    }
}

void InspectorContent::showComputation()
{
    const HloModule& module = *m_state.module;
    const HloComputation& computation = module.computation(m_state.computation);
    auto* header = addSection({});
    header->addText(toQString(computation.name), kName);
    header->addText(computation.isEntry ? tr("Entry computation of %1").arg(toQString(module.name)) : tr("Computation"),
                    kSecondary);
    auto* facts = addSection(tr("Computation"));
    facts->addRow(tr("Instructions"), formatCount(computation.instructions.count));
    if (computation.root.isValid())
        facts->addRow(tr("Result"), valueSummary(module.shape(computation.root), platformOf(module)));
    if (const ModuleEntry* entry = m_workspace.entry(&module); entry && entry->cost) {
        const double runs = entry->cost->occurrences[m_state.computation.index()];
        if (runs > 1)
            facts->addRow(tr("Runs"), tr("%1 times").arg(formatCount(static_cast<qint64>(runs))));
    }
    addOwner();
    if (computation.root.isValid()) {
        auto* root = addSection(tr("Root"));
        LinkWords link;
        link.instruction = computation.root;
        link.name = toQString(module.instruction(computation.root).name);
        addOpLink(root, link);
    }
}

void InspectorContent::addHeader(OpCategory category, const QString& name, const QString& kind, const QString& scope,
                                 const QString& sentence)
{
    auto* section = addSection({});
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    auto* square = new CategorySquare(category);
    square->setToolTip(categoryName(category));
    line->addWidget(square, 0, Qt::AlignTop);
    line->setContentsMargins(0, 2, 0, 2);
    line->addWidget(new PanelText(name, kName), 1);
    section->body()->addLayout(line);
    if (!kind.isEmpty())
        section->addText(kind, kSecondary);
    if (!scope.isEmpty())
        section->addText(scope, kSecondary);
    if (!sentence.isEmpty()) {
        section->body()->addSpacing(6);
        section->addText(sentence, kBody);
    }
}

void InspectorContent::showOp()
{
    const OpWords words = describeOp(*m_state.module, m_state.instruction);
    addHeader(words.category, words.name, words.kind, words.scope, words.sentence);
    addResults(words);
    addContents(words);
    addTime(words);
    addRun();
    addBuffer();
    addLinks(tr("Operands"), words.operands);
    std::vector<LinkWords> users = words.users;
    for (LinkWords& user : users)
        user.bytes.clear(); // what an op takes in counts, not what others make of it
    addLinks(tr("Used by"), users);
    addCalled(words);
    addOwner();
    addLayout(words);
    addSource(words);
    if (!words.notes.isEmpty()) {
        auto* notes = addSection(tr("What it means"));
        for (const QString& note : words.notes)
            notes->addText(note, kSecondary);
    }
}

void InspectorContent::addResults(const OpWords& words)
{
    auto* section = addSection(tr("Result"));
    for (const ValueWords& value : words.results) {
        auto* line = new QHBoxLayout;
        line->setSpacing(12);
        if (value.value->isArray() && words.results.size() == 1)
            line->addWidget(new MiniTiles(*value.value), 0, Qt::AlignTop);
        auto* column = new QVBoxLayout;
        column->setSpacing(1);
        const QString shape =
            value.index.isEmpty() ? value.shape : QStringLiteral("%1 %2").arg(value.index, value.shape);
        column->addWidget(new PanelText(shape, kMono));
        if (!value.layout.isEmpty())
            column->addWidget(new PanelText(value.layout, kMonoSecondary));
        auto* summary = new PanelText(value.summary, kSecondary);
        if (value.value->isArray())
            summary->setToolTip(formatExactBytes(paddedByteSize(*value.value)));
        column->addWidget(summary);
        line->addLayout(column, 1);
        section->body()->addLayout(line);
        section->body()->addSpacing(4);
    }
    if (words.hiddenResults > 0)
        section->addText(tr("and %1 more").arg(words.hiddenResults), kSecondary);
}

void InspectorContent::addContents(const OpWords& words)
{
    if (words.contents.empty())
        return;
    auto* section = addSection(tr("Contains"));
    auto* chips = new ChipRow;
    for (const ContentWords& content : words.contents)
        chips->add(new CategoryChip(content.category, content.text));
    section->body()->addWidget(chips);
    if (!words.contentNames.isEmpty()) {
        section->body()->addSpacing(4);
        section->addText(words.contentNames, kSecondary);
    }
}

void InspectorContent::addTime(const OpWords& words)
{
    const HloModule& module = *m_state.module;
    const ModuleEntry* entry = m_workspace.entry(&module);
    if (!entry)
        return;
    auto* section = addSection(tr("Time"));
    if (!entry->cost) {
        section->addText(entry->isAnalysed ? tr("No time: the cost of this module could not be computed.")
                                           : tr("Being computed ..."),
                         kSecondary);
        return;
    }
    const double runs = entry->cost->occurrences[module.instruction(m_state.instruction).computation.index()];
    if (runs <= 0)
        section->addText(tr("Part of a fusion or another op's computation: it has no time of its own."), kSecondary);
    const OpCost& cost = entry->cost->of(m_state.instruction);
    const ChipSpec& chip = *entry->cost->chip;
    const std::optional<double> limit = rooflineLimitPs(module, m_state.instruction, cost, chip);
    const std::optional<double> best = bestTimePs(cost);
    if (limit && best && *best > 0) {
        section->body()->addWidget(new ShareBar(words.category, *limit / *best));
        section->body()->addSpacing(4);
    }
    for (const FigureWords& figure : costFigures(module, m_state.instruction, cost, chip)) {
        const QString value =
            figure.share.isEmpty() ? figure.value : QStringLiteral("%1 (%2)").arg(figure.value, figure.share);
        section->addRow(figure.label, value, figure.exact);
    }
    if (runs > 1)
        section->addRow(tr("Runs"), tr("%1 times").arg(formatCount(static_cast<qint64>(runs))));
    if (entry->chipIsGuessed)
        section->addRow(tr("Chip"), tr("%1, assumed").arg(toQString(chip.name)));
}

// The event that stands for the op in the trace that is selected with it.
void InspectorContent::addRun()
{
    if (!m_state.trace || !m_state.event.isValid())
        return;
    const Trace& trace = *m_state.trace;
    auto* section = addSection(trace.isSimulated ? tr("In the simulation") : tr("In the profile"));
    addTimeRow(section, tr("Begin"), trace.begin(m_state.event));
    addTimeRow(section, tr("Duration"), trace.duration(m_state.event));
    if (trace.isSimulated)
        return; // its arguments are the figures above
    addTimeRow(section, tr("Self"), trace.selfDuration(m_state.event));
    addArguments();
}

void InspectorContent::addTimeRow(PanelSection* section, const QString& label, int64_t picoseconds)
{
    section->addRow(label, formatTime(picoseconds), QStringLiteral("%1 ps").arg(picoseconds));
}

void InspectorContent::addArguments()
{
    const std::vector<Argument> arguments = m_state.trace->arguments(m_state.event);
    if (arguments.empty())
        return;
    auto* details = addSection(tr("Arguments"));
    for (const Argument& argument : arguments)
        details->addRow(toQString(argument.name), toQString(argument.value));
}

void InspectorContent::addBuffer()
{
    if (!m_state.buffer)
        return;
    const ModuleEntry* entry = m_workspace.entry(m_state.module.get());
    if (!entry || !entry->memory)
        return;
    const std::vector<Buffer>& buffers = entry->memory->buffers;
    const auto found = std::find_if(buffers.begin(), buffers.end(),
                                    [this](const Buffer& buffer) { return buffer.name == *m_state.buffer; });
    if (found == buffers.end())
        return;
    auto* section = addSection(tr("Buffer"));
    section->addText(toQString(toString(*m_state.module, found->name)), kMono);
    section->addRow(tr("Size"), formatBytes(found->bytes), formatExactBytes(found->bytes));
    section->addRow(tr("Memory"), memorySpaceName(found->space, platformOf(*m_state.module)));
    section->addRow(tr("Alive"),
                    found->isStatic ? tr("the whole program")
                                    : tr("position %1 to %2").arg(formatCount(found->begin), formatCount(found->end)));
}

void InspectorContent::addOpLink(PanelSection* section, const LinkWords& link)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    auto* name = new PanelLink(link.name);
    name->setAccessibleDescription(QStringLiteral("%1 %2 %3").arg(link.role, link.shape, link.bytes));
    row->addWidget(name);
    auto* role = dimLabel(link.role);
    role->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the name has the room first
    role->setMinimumWidth(1);
    row->addWidget(role, 1);
    if (!link.bytes.isEmpty()) {
        auto* bytes =
            keepWidth(new PanelText(link.bytes, {PanelTextStyle::Ink::Secondary, 12, false, false, Qt::AlignRight}));
        bytes->setToolTip(link.shape);
        row->addWidget(bytes, 0, Qt::AlignVCenter);
    }
    section->body()->addLayout(row);
    connect(name, &PanelLink::activated, this,
            [this, id = link.instruction] { m_selection.selectInstruction(m_state.module, id); });
}

void InspectorContent::addLinks(const QString& caption, const std::vector<LinkWords>& links)
{
    if (links.empty())
        return;
    auto* section = addSection(caption);
    const size_t shown = m_showAllLinks ? links.size() : std::min(links.size(), kFewLinks);
    for (size_t i = 0; i < shown; ++i)
        addOpLink(section, links[i]);
    if (shown == links.size())
        return;
    auto* more = new PanelLink(tr("+%1 more").arg(links.size() - shown), false);
    section->body()->addWidget(more);
    connect(more, &PanelLink::activated, this, &InspectorContent::allLinksRequested);
}

void InspectorContent::addComputationLink(PanelSection* section, ComputationId computation, const QString& name)
{
    auto* link = new PanelLink(name);
    section->body()->addWidget(link);
    connect(link, &PanelLink::activated, this,
            [this, computation] { m_selection.selectComputation(m_state.module, computation); });
}

void InspectorContent::addCalled(const OpWords& words)
{
    if (words.called.empty())
        return;
    auto* section = addSection(words.called.size() == 1 ? words.called.front().role : tr("Called computations"));
    for (const CalledWords& called : words.called) {
        if (words.called.size() > 1)
            section->addText(called.role, kSecondary);
        if (called.computation.isValid())
            addComputationLink(section, called.computation, called.name);
        else
            section->addText(called.name, kMono);
        section->addText(called.meaning, kSecondary);
    }
}

// Who runs the computation that is shown or that holds the op.
void InspectorContent::addOwner()
{
    const HloModule& module = *m_state.module;
    const ComputationId id =
        m_state.instruction.isValid() ? module.instruction(m_state.instruction).computation : m_state.computation;
    const HloComputation& computation = module.computation(id);
    if (m_state.instruction.isValid() && computation.isEntry)
        return;
    const std::vector<InstructionId> callers = module.callers(id);
    if (m_state.instruction.isValid()) {
        auto* section = addSection(tr("Inside"));
        addComputationLink(section, id, toQString(computation.name));
    }
    std::vector<LinkWords> links;
    for (InstructionId caller : callers) {
        LinkWords link;
        link.instruction = caller;
        link.name = toQString(module.instruction(caller).name);
        link.role = roleOf(module, caller);
        links.push_back(std::move(link));
    }
    addLinks(tr("Called by"), links);
}

void InspectorContent::addLayout(const OpWords& words)
{
    for (const ValueWords& value : words.results) {
        if (!value.value->isArray() || !value.value->layout)
            continue;
        const LayoutWords layout = describeLayout(*value.value, platformOf(*m_state.module));
        auto* section = addSection(value.index.isEmpty() ? tr("Layout") : tr("Layout of part %1").arg(value.index));
        const auto add = [section](const QString& text) {
            if (!text.isEmpty())
                section->addText(text, {PanelTextStyle::Ink::Text, 12});
        };
        add(layout.order);
        int notationWidth = 0;
        for (const TileWords& tile : layout.tiles)
            notationWidth = std::max(notationWidth, PanelText(tile.notation, kMonoSecondary).sizeHint().width());
        for (const TileWords& tile : layout.tiles) {
            auto* row = new QHBoxLayout;
            row->setSpacing(10);
            auto* notation = new PanelText(tile.notation, kMonoSecondary);
            notation->setFixedWidth(std::min(notationWidth, ThemeManager::instance().scaled(110)));
            row->addWidget(notation, 0, Qt::AlignTop);
            row->addWidget(new PanelText(tile.meaning, {PanelTextStyle::Ink::Text, 12}), 1);
            section->body()->addLayout(row);
        }
        add(layout.element + QStringLiteral(", ") + layout.size);
        add(layout.padding);
        if (!layout.problem.isEmpty())
            section->addText(layout.problem, {PanelTextStyle::Ink::Warning, 12});
        const QString meaning = memorySpaceMeaning(value.value->memorySpace(), platformOf(*m_state.module));
        if (!meaning.isEmpty())
            add(tr("Lives in %1, %2.").arg(layout.space, meaning));
        return; // the other parts of a tuple are a click away, at their get-tuple-element
    }
}

void InspectorContent::addSource(const OpWords& words)
{
    if (!words.source)
        return;
    auto* section = addSection(tr("Source"));
    auto* place = section->addText(words.source->place, {PanelTextStyle::Ink::Text, 12, true});
    place->setToolTip(words.source->file);
    if (!words.source->function.isEmpty())
        section->addText(words.source->function, kSecondary);
    const ModuleEntry* entry = m_workspace.entry(m_state.module.get());
    const QString line = sourceLineText(words.source->file, words.source->line, entry ? entry->path : QString());
    if (!line.isEmpty()) {
        auto* frame = new QFrame;
        frame->setProperty("role", "card");
        auto* inside = new QVBoxLayout(frame);
        inside->setContentsMargins(8, 6, 8, 4);
        inside->addWidget(new PanelText(line, kMono));
        section->body()->addSpacing(4);
        section->body()->addWidget(frame);
    }
    if (words.stack.size() > 1) {
        QStringList callers;
        for (size_t i = 1; i < words.stack.size(); ++i)
            callers << words.stack[i].place;
        section->addText(tr("called from %1").arg(callers.join(QStringLiteral(", "))), kSecondary);
    }
}

void InspectorContent::showEvent()
{
    const Trace& trace = *m_state.trace;
    const EventKind& kind = trace.kind(m_state.event);
    const QString name = toQString(kind.label());
    const TrackId track = trace.trackOf(m_state.event);
    QString where;
    if (track.isValid()) {
        const Track& line = trace.tracks[track.index()];
        where = QStringLiteral("%1 / %2").arg(toQString(trace.planes[line.plane.index()].name), toQString(line.name));
    }
    addHeader(kind.category, name, categoryName(kind.category), where, {});
    auto* section = addSection(tr("Time"));
    addTimeRow(section, tr("Begin"), trace.begin(m_state.event));
    addTimeRow(section, tr("Duration"), trace.duration(m_state.event));
    addTimeRow(section, tr("Self"), trace.selfDuration(m_state.event));
    if (!kind.module.empty()) {
        auto* module = addSection(tr("Module"));
        module->addText(toQString(kind.module), kMono);
    }
    if (kind.name != kind.label()) {
        auto* full = addSection(tr("Full name"));
        full->addText(toQString(kind.name), kMonoSecondary);
    }
    addArguments();
}

QString sourceLineText(const QString& file, int line, const QString& besidePath)
{
    if (file.isEmpty() || line <= 0)
        return {};
    QString path = file;
    if (QFileInfo(file).isRelative() && !besidePath.isEmpty())
        path = QFileInfo(besidePath).dir().filePath(file);
    const QFileInfo info(path);
    if (!info.isFile() || info.size() > kMaxSourceBytes)
        return {};
    QFile source(path);
    if (!source.open(QIODevice::ReadOnly))
        return {};
    for (int number = 1; !source.atEnd(); ++number) {
        const QByteArray text = source.readLine();
        if (number == line)
            return QString::fromUtf8(text).trimmed().left(kMaxSourceLineLength);
    }
    return {};
}

} // namespace hloscope
