// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "history/eventstore.h"
#include "ui/base/fitteddialog.h"

namespace lockkeeper::ui {

class RetentionForm;

// How much of the past is kept on disk, and the way to delete what is there.
class RetentionDialog final : public FittedDialog {
    Q_OBJECT
public:
    // server: as for RetentionForm.
    RetentionDialog(const history::Retention& retention, const QString& server, QWidget* parent = nullptr);

Q_SIGNALS:
    void retentionChosen(const lockkeeper::history::Retention& retention);
    // The user has asked to delete the history, and has confirmed it.
    void forgetWanted();

private:
    RetentionForm* m_form;
};

}  // namespace lockkeeper::ui
