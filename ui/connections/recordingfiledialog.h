// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QFileDialog;
class QWidget;

namespace lockkeeper::ui {

// Asks for the file of a recording, by default in the user's folder for files. Not yet open, and deleted when it is
// closed. A name that exists is not asked about again: recordings are never written over others.
[[nodiscard]] QFileDialog* makeRecordingFileDialog(const QString& objectName, std::function<QString()> title,
                                                   QWidget* parent);
// The base with the suffix of recordings.
[[nodiscard]] QString recordingFileName(const QString& base);

}  // namespace lockkeeper::ui
