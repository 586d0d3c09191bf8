// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/wirepane.h"

#include "ui/base/retranslating.h"
#include "ui/base/tonecolors.h"
#include "ui/lab/labwords.h"
#include "ui/lab/panelook.h"

#include <QHeaderView>
#include <QSignalBlocker>

#include <algorithm>
#include <span>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype mostShown = 400;     // lines; earlier lines are visible from an earlier moment
constexpr size_t mostDecidedAtOnce = 8;  // it takes up to some milliseconds to find the line

// The first line that is shown; never in the middle of a script.
size_t firstShown(const std::vector<lab::WireLine>& lines, size_t end) {
    size_t first = end > mostShown ? end - mostShown : 0;
    while (first < end && lines[first].sender == lab::WireLine::Sender::Script)
        ++first;
    return first;
}

}  // namespace

WirePane::WirePane(QWidget* parent) : QTreeWidget(parent) {
    showAsLabPane(*this, QStringLiteral("labWire"), 3);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    header()->setStretchLastSection(true);
    connect(this, &QTreeWidget::itemExpanded, this, &WirePane::showDecidingLine);
    keepTranslated(*this, [this] { retranslate(); });
}

void WirePane::retranslate() {
    setHeaderLabels({tr("From"), tr("To"), tr("Command")});
    setAccessibleName(tr("Commands as the servers ran them"));
}

void WirePane::showLines(const LabRecording& recording, qsizetype frame) {
    clear();
    m_scripts.clear();
    m_newScripts.clear();
    const std::vector<lab::WireLine>& lines = recording.lines();
    const auto isLater = [frame](const lab::WireLine& line) { return line.frame > frame; };
    addRows(recording, frame, static_cast<size_t>(std::ranges::find_if(lines, isLater) - lines.begin()));
    openScripts();
    if (recording.linesLeftOut() > 0 && frame == recording.size() - 1)
        addTopLevelItem(new QTreeWidgetItem(
            {QString(), QString(),
             tr("%Ln further command(s) were not kept", nullptr, static_cast<int>(recording.linesLeftOut()))}));
    fitColumns(*this);
    scrollToBottom();
}

void WirePane::addRows(const LabRecording& recording, qsizetype frame, size_t end) {
    Commands commands;
    for (size_t at = firstShown(recording.lines(), end); at < end; ++at) {
        const lab::WireLine& line = recording.lines()[at];
        QTreeWidgetItem* row = makeRow(line, recording.at(frame));
        const bool isNew = line.frame == frame;
        QTreeWidgetItem* command = commands.ofServers[line.server];
        if (command && line.sender == lab::WireLine::Sender::Script) {
            command->addChild(row);
            m_scripts[command].calls.push_back(line.arguments);
        } else {
            addCommand(*row, line, recording.scripts(), commands);
            if (isNew)
                m_newScripts.push_back(row);
        }
        markChange(*row, isNew ? Change::New : Change::None);
    }
    // The rest of the calls of these scripts may be among the lines that were not kept.
    if (recording.linesLeftOut() == 0 || end < recording.lines().size())
        return;
    for (const auto& [server, command] : commands.ofServers)
        m_scripts[command].known = lab::CallsKnown::PerhapsNotTheLast;
}

void WirePane::addCommand(QTreeWidgetItem& row, const lab::WireLine& line, const lab::ScriptSources& scripts,
                          Commands& commands) {
    addTopLevelItem(&row);
    const Script script{line.arguments, scripts.of(line.arguments), {}, lab::CallsKnown::All};
    m_scripts.insert(&row, script);
    commands.ofServers[line.server] = &row;
    QTreeWidgetItem* before = std::exchange(commands.ofActors[{line.server, line.actor}], &row);
    if (!before || !isFirstTry(before, script))
        return;
    before->setText(2, tr("NOSCRIPT, so sent again whole: %1").arg(before->text(2)));
    explainRow(
        *before,
        tr("A script is named by its SHA-1 first. This server did not know it yet, so it has run nothing, and the "
           "next command sends the whole script. The server knows it from then on."));
    before->setForeground(2, toneColor(palette(), Tone::Quiet));
}

bool WirePane::isFirstTry(QTreeWidgetItem* row, const Script& whole) const {
    const auto named = m_scripts.constFind(row);
    return named != m_scripts.constEnd() && named->command.value(0).toUpper() == "EVALSHA" &&
           whole.command.value(0).toUpper() == "EVAL" && named->source == whole.source &&
           named->command.mid(2) == whole.command.mid(2) && named->calls.empty();
}

void WirePane::openScripts() {
    {
        const QSignalBlocker notByTheUser(this);
        for (QTreeWidgetItem* script : m_newScripts)
            script->setExpanded(true);
    }
    const size_t last = std::min(m_newScripts.size(), mostDecidedAtOnce);
    for (QTreeWidgetItem* script : std::span(m_newScripts).last(last))
        showDecidingLine(script);
}

void WirePane::showDecidingLine(QTreeWidgetItem* row) {
    const Script script = m_scripts.take(row);
    if (!lab::isOwnScript(script.source))
        return;
    const std::optional<QByteArray> line = lab::decidingLine(script.command, script.source, script.calls, script.known);
    if (!line)
        return;
    auto* decided = new QTreeWidgetItem(row, {tr("decided by: %1").arg(QString::fromUtf8(*line))});
    decided->setFirstColumnSpanned(true);
    QFont font = decided->font(0);
    font.setItalic(true);
    decided->setFont(0, font);
    explainRow(*decided, tr("The line of the script that gave the answer. It follows from what the script called."));
}

QTreeWidgetItem* WirePane::makeRow(const lab::WireLine& line, const lab::LabFrame& frame) const {
    QString from = QString::fromUtf8(line.actor.bytes());
    if (line.sender == lab::WireLine::Sender::Script)
        from = tr("script");
    else if (line.sender == lab::WireLine::Sender::ByHand)
        from = tr("by hand");
    QString to = tr("server %1").arg(static_cast<int>(line.server) + 1);
    if (!line.receivers.empty()) {
        QStringList names;
        for (const lab::ActorName& receiver : line.receivers)
            names += QString::fromUtf8(receiver.bytes());
        to = QStringLiteral("→ ") + names.join(QStringLiteral(", "));
    }
    return new QTreeWidgetItem({from, to, commandText(line, frame.actors)});
}

}  // namespace lockkeeper::ui

#include "moc_wirepane.cpp"
