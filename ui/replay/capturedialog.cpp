// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/capturedialog.h"

#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QLabel>
#include <QPushButton>

namespace lockkeeper::ui {

CaptureDialog::CaptureDialog(QString server, Milliseconds limit, QWidget* parent)
    : QuestionDialog(QStringLiteral("capture"), parent),
      m_server(std::move(server)),
      m_limit(limit),
      m_what(addParagraph(QStringLiteral("captureWhat"))),
      m_cost(addParagraph(QStringLiteral("captureCost"))),
      m_privacy(addParagraph(QStringLiteral("capturePrivacy"))) {
    doIt().setObjectName(QStringLiteral("captureRecord"));
    keepTranslated(*this, [this] { retranslate(); });
}

void CaptureDialog::retranslate() {
    const QString limit = durationText(m_limit);
    setWindowTitle(tr("Record by MONITOR"));
    headline().setText(tr("Record %1 with MONITOR for at most %2?").arg(m_server, limit));
    m_what->setText(
        tr("The recording has every operation on every lock in that time, also those that are too short to be seen "
           "otherwise. It opens in a tab of its own."));
    m_cost->setText(
        tr("What it costs: while MONITOR runs, the server sends every command of every client to Lockkeeper as well. "
           "That can halve its throughput. It ends when you stop it, when the recording has 16 MB, and after %1 at the "
           "latest. Of a Cluster it is one master: that of the selected lock.")
            .arg(limit));
    m_privacy->setText(
        tr("Lockkeeper receives what all clients write in that time, and keeps only what is about locks. Nothing is "
           "changed on the server. Your user needs the right to MONITOR."));
    doIt().setText(tr("&Record for at most %1").arg(limit));
}

}  // namespace lockkeeper::ui

#include "moc_capturedialog.cpp"
