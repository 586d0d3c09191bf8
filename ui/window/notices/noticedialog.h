// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"
#include "ui/window/notices/noticesettings.h"

namespace lockkeeper::ui {

class NoticeForm;

// Which notifications the user wants while the window is out of sight, and how.
class NoticeDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit NoticeDialog(const NoticeSettings& settings, QWidget* parent = nullptr);

    [[nodiscard]] NoticeForm& form() const { return *m_form; }

Q_SIGNALS:
    void settingsChosen(const lockkeeper::ui::NoticeSettings& settings);

private:
    NoticeForm* m_form;
};

}  // namespace lockkeeper::ui
