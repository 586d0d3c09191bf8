#include "ui/dialogs/aboutbox.h"

#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"

#include <QApplication>
#include <QMessageBox>

namespace lockkeeper::ui {

namespace {

struct AboutBox {
    Q_DECLARE_TR_FUNCTIONS(AboutBox)
};

}  // namespace

void openAboutBox(QWidget& parent) {
    QMessageBox* box = plainMessageBox(&parent);
    box->setObjectName(QStringLiteral("aboutBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(applicationIcon().pixmap(64));
    keepTranslated(*box, [box] {
        box->setWindowTitle(AboutBox::tr("About Lockkeeper"));
        box->setText(AboutBox::tr("Lockkeeper %1").arg(QApplication::applicationVersion()));
        box->setInformativeText(AboutBox::tr("Watches and works the distributed locks that Redisson keeps in Redis.\n\n"
                                             "Licensed under the Apache License 2.0."));
    });
    box->open();
}

}  // namespace lockkeeper::ui
