// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/ssh/sshquestion.h"
#include "ui/base/fitteddialog.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

// A question of ssh to the user, in ssh's own words.
class SshQuestionDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit SshQuestionDialog(const topology::SshQuestion& question, QWidget* parent = nullptr);

    // Offers to keep the secret that is asked for; the user decides.
    void offerToKeep(bool offered);
    void reject() override;

Q_SIGNALS:
    // Emitted before answered().
    void keepWanted(const QByteArray& secret);
    // Emitted once at most.
    void answered(const lockkeeper::topology::SshAnswer& answer);

private:
    void retranslate();
    QWidget* makeButtons();
    void answer(const topology::SshAnswer& answer);

    const topology::SshQuestion m_question;
    QLabel* m_headline;
    QLineEdit* m_secret;
    QCheckBox* m_keep;
    QPushButton* m_yes = nullptr;  // null where it is no question of yes or no
    QPushButton* m_no = nullptr;
    QPushButton* m_send = nullptr;  // null where no text is asked for
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
