// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMainWindow;
class QSettings;

namespace lockkeeper::ui {

// Where the docks and tool bars of a window are. Written with a checksum: QMainWindow::restoreState() crashes on some
// states that are damaged.
void saveDocks(QSettings& settings, const QString& key, const QMainWindow& window);
// False: nothing was saved, or it is damaged, or version 0.1 wrote it, without a checksum; the window stays as it is.
// See storedvalues.h.
bool restoreDocks(QSettings& settings, const QString& key, QMainWindow& window);

// Where the window is, and how large.
void saveFrame(QSettings& settings, const QString& key, const QMainWindow& window);
void restoreFrame(QSettings& settings, const QString& key, QMainWindow& window);

}  // namespace lockkeeper::ui
