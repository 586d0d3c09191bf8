// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMainWindow;
class QSettings;

namespace lockkeeper::ui {

// Where the docks and tool bars of a window are. Written with a checksum: Qt believes the counts in a state that is damaged,
// and may be busy with them for minutes.
void saveDocks(QSettings& settings, const QString& key, const QMainWindow& window);
// Leaves the window as it is if nothing was saved, or what is there is damaged. See storedvalues.h.
void restoreDocks(QSettings& settings, const QString& key, QMainWindow& window);

// Where the window is, and how large.
void saveFrame(QSettings& settings, const QString& key, const QMainWindow& window);
void restoreFrame(QSettings& settings, const QString& key, QMainWindow& window);

}  // namespace lockkeeper::ui
