// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/locksettings.h"

#include <QGroupBox>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace lockkeeper::ui {

// Fields for what the Java clients of a server have set for their locks; folded unless something is set, or the user
// checks the box. Settings without a field stay in the address.
class LockFields final : public QGroupBox {
    Q_OBJECT
public:
    explicit LockFields(QWidget* parent = nullptr);

    // Shows the settings, and removes from them what the fields show.
    void take(profile::LockSettings& locks);
    // Sets what was entered; other settings stay as they are.
    void applyTo(profile::LockSettings& locks) const;

Q_SIGNALS:
    void edited();
    // The fields are shown or hidden.
    void folded();

private:
    void retranslate();

    QWidget* m_fields;
    QLabel* m_watchdogCaption;
    QLabel* m_fairWaitCaption;
    QLabel* m_prefixCaption;
    QLabel* m_suffixCaption;
    QDoubleSpinBox* m_watchdog;
    QDoubleSpinBox* m_fairWait;
    QLineEdit* m_prefix;
    QLineEdit* m_suffix;
};

}  // namespace lockkeeper::ui
