// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/capturedialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int captureWidth = 29;  // heights of a line

}  // namespace

CaptureDialog::CaptureDialog(QString server, Milliseconds limit, QWidget* parent)
    : FittedDialog(parent),
      m_server(std::move(server)),
      m_limit(limit),
      m_headline(addParagraph(QStringLiteral("captureHeadline"))),
      m_what(addParagraph(QStringLiteral("captureWhat"))),
      m_cost(addParagraph(QStringLiteral("captureCost"))),
      m_privacy(addParagraph(QStringLiteral("capturePrivacy"))),
      m_record(new QPushButton(this)) {
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(12);
    for (QLabel* label : {m_headline, m_what, m_cost, m_privacy})
        layout->addWidget(label);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_record, QDialogButtonBox::AcceptRole);
    m_record->setObjectName(QStringLiteral("captureRecord"));
    m_record->setAutoDefault(false);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("captureCancel"));
    cancel->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &CaptureDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &CaptureDialog::reject);
    setContent(layout, {buttons});
    setUsualWidth(captureWidth);
    cancel->setFocus();
    keepTranslated(*this, [this] { retranslate(); });
}

QLabel* CaptureDialog::addParagraph(const QString& objectName) {
    QLabel* label = plainLabel(this);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    return label;
}

void CaptureDialog::retranslate() {
    const QString limit = durationText(m_limit);
    setWindowTitle(tr("Record by MONITOR"));
    m_headline->setText(tr("Record %1 with MONITOR for at most %2?").arg(m_server, limit));
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
    m_record->setText(tr("&Record for at most %1").arg(limit));
}

}  // namespace lockkeeper::ui

#include "moc_capturedialog.cpp"
