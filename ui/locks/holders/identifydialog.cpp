// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/holders/identifydialog.h"

#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QLabel>
#include <QPushButton>

namespace lockkeeper::ui {

IdentifyDialog::IdentifyDialog(const IdentifyQuestion& question, QWidget* parent)
    : QuestionDialog(QStringLiteral("identify"), parent),
      m_question(question),
      m_what(addParagraph(QStringLiteral("identifyWhat"))),
      m_cost(addParagraph(QStringLiteral("identifyCost"))),
      m_privacy(addParagraph(QStringLiteral("identifyPrivacy"))),
      m_doubt(nullptr) {
    if (question.renewal == IdentifyQuestion::Renewal::NotSeen)
        m_doubt = addParagraph(QStringLiteral("identifyDoubt"));
    doIt().setObjectName(QStringLiteral("identifyListen"));
    keepTranslated(*this, [this] { retranslate(); });
}

void IdentifyDialog::retranslate() {
    const QString limit = durationText(m_question.search.limit);
    setWindowTitle(tr("Find out who this is"));
    headline().setText(tr("Listen to the server with MONITOR for at most %1?").arg(limit));
    m_what->setText(tr("The next lock that client %1 takes, renews or releases shows the address it comes from. "
                       "CLIENT LIST then shows the name and the user of that connection.")
                        .arg(m_question.client));
    m_cost->setText(
        tr("What it costs: while MONITOR runs, the server sends every command of every client to Lockkeeper as well. "
           "That can halve its throughput. It ends at the first match, when you stop it, and after %1 at the latest.")
            .arg(limit));
    m_privacy->setText(
        tr("Lockkeeper receives what all clients write in that time, and keeps nothing of it. Nothing is "
           "changed on the server. Your user needs the right to MONITOR."));
    if (m_doubt)
        m_doubt->setText(
            tr("This lock was not seen to be renewed: a holder with a fixed lease, or one that has died, "
               "may send nothing, and then nothing is found out."));
    doIt().setText(tr("&Listen for at most %1").arg(limit));
}

}  // namespace lockkeeper::ui

#include "moc_identifydialog.cpp"
