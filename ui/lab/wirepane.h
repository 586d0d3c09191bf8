// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labrecording.h"

#include <QTreeWidget>

namespace lockkeeper::ui {

// The commands as the servers ran them, up to a moment; those of that moment are marked. A script can be opened to its
// commands. A message names who receives it.
class WirePane final : public QTreeWidget {
    Q_OBJECT
public:
    explicit WirePane(QWidget* parent = nullptr);

    void showLines(const LabRecording& recording, qsizetype frame);

private:
    void retranslate();
    [[nodiscard]] QTreeWidgetItem* makeRow(const lab::WireLine& line, const lab::LabFrame& frame) const;
};

}  // namespace lockkeeper::ui
