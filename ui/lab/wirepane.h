// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/decidingline.h"
#include "ui/lab/labrecording.h"

#include <QTreeWidget>

#include <map>
#include <utility>

namespace lockkeeper::ui {

// The commands as the servers ran them, up to a moment; those of that moment are marked. A script can be opened to its
// commands, and to its line that decided if that is certain. A message names who receives it.
class WirePane final : public QTreeWidget {
    Q_OBJECT
public:
    explicit WirePane(QWidget* parent = nullptr);

    void showLines(const LabRecording& recording, qsizetype frame);

private:
    // What is needed to find the line that decided.
    struct Script {
        QByteArrayList command;
        QByteArray source;
        std::vector<QByteArrayList> calls;
        lab::CallsKnown known = lab::CallsKnown::All;
    };

    // The last command of each server, and of each actor on it.
    struct Commands {
        std::map<lab::ServerNumber, QTreeWidgetItem*> ofServers;
        std::map<std::pair<lab::ServerNumber, lab::ActorName>, QTreeWidgetItem*> ofActors;
    };

    void retranslate();
    void addRows(const LabRecording& recording, qsizetype frame, size_t end);
    // Opens the scripts of the moment. Finding the line of each would take long: only the last ones have theirs at
    // once, and the others when they are closed and opened again.
    void openScripts();
    void addCommand(QTreeWidgetItem& row, const lab::WireLine& line, const lab::ScriptSources& scripts,
                    Commands& commands);
    // Whether the row is a try of the same script by its name only: the server did not know it, and has run nothing.
    [[nodiscard]] bool isFirstTry(QTreeWidgetItem* row, const Script& whole) const;
    void showDecidingLine(QTreeWidgetItem* row);
    [[nodiscard]] QTreeWidgetItem* makeRow(const lab::WireLine& line, const lab::LabFrame& frame) const;

    QHash<QTreeWidgetItem*, Script> m_scripts;  // whose deciding line was not searched yet
    std::vector<QTreeWidgetItem*> m_newScripts;
};

}  // namespace lockkeeper::ui
