// SPDX-License-Identifier: Apache-2.0
#include "ui/window/aboutbox.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QSysInfo>

namespace lockkeeper::ui {

namespace {

struct AboutBox {
    Q_DECLARE_TR_FUNCTIONS(AboutBox)
};

}  // namespace

// Not translated: developers read it.
QString versionsText() {
    return QStringLiteral("Lockkeeper %1\nQt %2 (built with %3), %4\n%5, kernel %6 %7, %8")
        .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR),
             QGuiApplication::platformName(), QSysInfo::prettyProductName(), QSysInfo::kernelType(),
             QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture());
}

void openAboutBox(QWidget& parent) {
    QMessageBox* box = plainMessageBox(&parent);
    box->setObjectName(QStringLiteral("aboutBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(applicationIcon().pixmap(64));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* copy = box->addButton(QString(), QMessageBox::ActionRole);
    copy->setObjectName(QStringLiteral("aboutCopy"));
    // Otherwise each of its buttons would close the box.
    copy->disconnect();
    QObject::connect(copy, &QPushButton::clicked, box, [] { QGuiApplication::clipboard()->setText(versionsText()); });
    box->addButton(QMessageBox::Close);
    keepTranslated(*box, [box, copy] {
        box->setWindowTitle(AboutBox::tr("About Lockkeeper"));
        box->setText(AboutBox::tr("Lockkeeper %1").arg(QApplication::applicationVersion()));
        box->setInformativeText(AboutBox::tr("Watches and works the distributed locks that Redisson keeps in Redis.\n\n"
                                             "Licensed under the Apache License 2.0.") +
                                QStringLiteral("\n\n") + versionsText());
        copy->setText(AboutBox::tr("&Copy versions"));
        copy->setToolTip(helpTip(AboutBox::tr("For a report of a fault")));
    });
    box->open();
}

}  // namespace lockkeeper::ui
