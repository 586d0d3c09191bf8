// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/wirepane.h"

#include "ui/lab/labwords.h"
#include "ui/lab/panelook.h"
#include "ui/look/retranslating.h"

#include <QHeaderView>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype mostShown = 400;  // lines; the earlier ones are seen from an earlier moment

// Not in the middle of a script.
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
    keepTranslated(*this, [this] { retranslate(); });
}

void WirePane::retranslate() {
    setHeaderLabels({tr("From"), tr("To"), tr("Command")});
    setAccessibleName(tr("Commands as the servers ran them"));
}

void WirePane::showLines(const LabRecording& recording, qsizetype frame) {
    clear();
    const std::vector<lab::WireLine>& lines = recording.lines();
    const auto isLater = [frame](const lab::WireLine& line) { return line.frame > frame; };
    const auto end = static_cast<size_t>(std::ranges::find_if(lines, isLater) - lines.begin());
    QTreeWidgetItem* command = nullptr;
    for (size_t at = firstShown(lines, end); at < end; ++at) {
        QTreeWidgetItem* row = makeRow(lines[at], recording.at(frame));
        const bool isOfScript = command && lines[at].sender == lab::WireLine::Sender::Script;
        if (isOfScript)
            command->addChild(row);
        else
            addTopLevelItem(command = row);
        if (lines[at].frame != frame)
            continue;
        markChange(*row, Change::New);
        command->setExpanded(true);
    }
    if (recording.linesLeftOut() > 0 && frame == recording.size() - 1)
        addTopLevelItem(new QTreeWidgetItem(
            {QString(), QString(), tr("%Ln further command(s) were not kept", nullptr, static_cast<int>(recording.linesLeftOut()))}));
    fitColumns(*this);
    scrollToBottom();
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
