// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/palette/palettedialog.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class KnownConnections;
class MainWindow;

// Opens the palette with what there is at that moment: locks and clients of the session in front, actions of the
// window, open and known connections.
class PaletteController final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    PaletteController(KnownConnections& known, MainWindow& window);

    void open();

private:
    [[nodiscard]] std::vector<PaletteEntry> entries() const;
    void addActions(std::vector<PaletteEntry>& entries) const;
    void addConnections(std::vector<PaletteEntry>& entries) const;
    void addClients(std::vector<PaletteEntry>& entries) const;
    void addLocks(std::vector<PaletteEntry>& entries) const;

    KnownConnections& m_known;
    MainWindow& m_window;
    QPointer<PaletteDialog> m_dialog;
};

}  // namespace lockkeeper::ui
