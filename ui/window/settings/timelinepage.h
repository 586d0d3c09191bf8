// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelineoptions.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lockkeeper::ui {

// The page of the settings for the timeline. Announces each change at once.
class TimelinePage final : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePage(const TimelineOptions& options, QWidget* parent = nullptr);

    void setOptions(const TimelineOptions& options);

Q_SIGNALS:
    void changed(const lockkeeper::ui::TimelineOptions& options);
    void unpinWanted();

private:
    void makeLayout();
    [[nodiscard]] TimelineOptions options() const;
    void announce();
    void retranslate();

    QLabel* m_heightLabel;
    QComboBox* m_height;
    QLabel* m_spanLabel;
    QComboBox* m_span;
    QLabel* m_countLabel;
    QSpinBox* m_count;
    QCheckBox* m_kept;
    QLabel* m_pins;
    QPushButton* m_unpin;
};

}  // namespace lockkeeper::ui
