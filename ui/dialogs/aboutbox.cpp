#include "ui/dialogs/aboutbox.h"

#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"

#include <QApplication>
#include <QMessageBox>

namespace lockkeeper::ui {

void openAboutBox(QWidget& parent) {
    QMessageBox* box = plainMessageBox(&parent);
    box->setObjectName(QStringLiteral("aboutBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(QMessageBox::tr("About Lockkeeper"));
    box->setIconPixmap(applicationIcon().pixmap(64));
    box->setText(QMessageBox::tr("Lockkeeper %1").arg(QApplication::applicationVersion()));
    box->setInformativeText(
        QMessageBox::tr("Watches and works the distributed locks that Redisson keeps in Redis.\n\n"
                        "Licensed under the Apache License 2.0."));
    box->open();
}

}  // namespace lockkeeper::ui
