// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilestore.h"
#include "ui/window/palette/palettedialog.h"

#include <QObject>
#include <QPointer>

class QMainWindow;

namespace lockkeeper::ui {

class KnownConnections;
class SessionTabs;

// Opens the palette with what there is at that moment: locks and clients of the session in front, actions of the
// window, open and known connections.
class PaletteController final : public QObject {
    Q_OBJECT
public:
    // All outlive it. window: with the menus.
    PaletteController(KnownConnections& known, SessionTabs& tabs, QMainWindow& window);

    void open();

Q_SIGNALS:
    void connectionChosen(const lockkeeper::profile::StoredProfile& stored);

private:
    [[nodiscard]] std::vector<PaletteEntry> entries();
    void addActions(std::vector<PaletteEntry>& entries) const;
    void addConnections(std::vector<PaletteEntry>& entries);
    void addClients(std::vector<PaletteEntry>& entries) const;
    void addLocks(std::vector<PaletteEntry>& entries) const;

    KnownConnections& m_known;
    SessionTabs& m_tabs;
    QMainWindow& m_window;
    QPointer<PaletteDialog> m_dialog;
};

}  // namespace lockkeeper::ui
