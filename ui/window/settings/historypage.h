// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "history/eventstore.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class RetentionForm;

// The page of the settings for the history on disk. Its limits are applied by a button: lower ones delete events at
// once, so a number that is half typed must not count.
class HistoryPage final : public QWidget {
    Q_OBJECT
public:
    HistoryPage(const history::Retention& retention, const QString& server, QWidget* parent = nullptr);

    // Fills in the usual limits; they are applied by the button as well.
    void reset();

Q_SIGNALS:
    void retentionChosen(const lockkeeper::history::Retention& retention);
    void forgetWanted();

private:
    void apply();
    void refresh();

    history::Retention m_applied;
    RetentionForm* m_form;
    QPushButton* m_apply;
};

}  // namespace lockkeeper::ui
