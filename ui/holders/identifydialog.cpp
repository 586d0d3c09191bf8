#include "ui/holders/identifydialog.h"

#include "ui/look/plainlabel.h"
#include "ui/words/timetext.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

QLabel* paragraph(const QString& objectName, const QString& text, QDialog& dialog) {
    QLabel* label = plainLabel(text, &dialog);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    label->setMinimumWidth(480);
    return label;
}

}  // namespace

IdentifyDialog::IdentifyDialog(const IdentifyQuestion& question, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Find out who this is"));
    const QString limit = durationText(question.search.limit);
    QLabel* headline = paragraph(QStringLiteral("identifyHeadline"),
                                 tr("Listen to the server with MONITOR for at most %1?").arg(limit), *this);
    QFont bold = headline->font();
    bold.setBold(true);
    headline->setFont(bold);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(headline);
    layout->addWidget(
        paragraph(QStringLiteral("identifyWhat"),
                  tr("The next lock that client %1 takes, renews or gives back shows the address it comes from. "
                     "CLIENT LIST then tells the name and the user of that connection.")
                      .arg(question.client),
                  *this));
    layout->addWidget(paragraph(
        QStringLiteral("identifyCost"),
        tr("What it costs: while MONITOR runs, the server sends every command of every client to Lockkeeper as well. "
           "That can halve its throughput. It ends at the first match, when you stop it, and after %1 at the latest.")
            .arg(limit),
        *this));
    layout->addWidget(
        paragraph(QStringLiteral("identifyPrivacy"),
                  tr("Lockkeeper hears what all clients write in that time, and keeps nothing of it. Nothing is "
                     "changed on the server. Your user needs the right to MONITOR."),
                  *this));
    if (question.renewal == IdentifyQuestion::Renewal::NotSeen)
        layout->addWidget(
            paragraph(QStringLiteral("identifyDoubt"),
                      tr("This lock was not seen to be renewed: a holder with a fixed lease, or one that has died, "
                         "may send nothing, and then nothing is found out."),
                      *this));
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* listen = buttons->addButton(tr("&Listen for at most %1").arg(limit), QDialogButtonBox::AcceptRole);
    listen->setObjectName(QStringLiteral("identifyListen"));
    listen->setAutoDefault(false);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("identifyCancel"));
    cancel->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &IdentifyDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &IdentifyDialog::reject);
    layout->addWidget(buttons);
    cancel->setFocus();
}

}  // namespace lockkeeper::ui

#include "moc_identifydialog.cpp"
