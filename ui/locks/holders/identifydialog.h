// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/who/holderidentity.h"
#include "ui/base/questiondialog.h"

class QLabel;

namespace lockkeeper::ui {

// Whose client it is, for words: alias and UUID, and whether its lock was seen to be renewed.
struct IdentifyQuestion {
    enum class Renewal { Seen, NotSeen };

    monitor::HolderSearch search;
    QString client;
    Renewal renewal = Renewal::NotSeen;
};

// Explains what a MONITOR does and costs before one runs.
class IdentifyDialog final : public QuestionDialog {
    Q_OBJECT
public:
    explicit IdentifyDialog(const IdentifyQuestion& question, QWidget* parent = nullptr);

private:
    void retranslate();

    IdentifyQuestion m_question;
    QLabel* m_what;
    QLabel* m_cost;
    QLabel* m_privacy;
    QLabel* m_doubt;
};

}  // namespace lockkeeper::ui
