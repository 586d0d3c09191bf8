// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/recordingfiledialog.h"

#include "ui/base/exportformat.h"
#include "ui/base/retranslating.h"

#include <QCoreApplication>
#include <QFileDialog>

#include <utility>

namespace lockkeeper::ui {

namespace {

struct RecordingFileDialog {
    Q_DECLARE_TR_FUNCTIONS(RecordingFileDialog)
};

const auto suffix = QStringLiteral("lkrec");

}  // namespace

QFileDialog* makeRecordingFileDialog(const QString& objectName, std::function<QString()> title, QWidget* parent) {
    auto* dialog = new QFileDialog(parent);
    dialog->setObjectName(objectName);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->setDefaultSuffix(suffix);
    dialog->setDirectory(folderForFiles());
    keepTranslated(*dialog, [dialog, title = std::move(title)] {
        dialog->setWindowTitle(title());
        dialog->setNameFilters({RecordingFileDialog::tr("Recordings (*.lkrec)"),
                                RecordingFileDialog::tr("Texts of MONITOR or redis-cli (*.txt *.log)"),
                                RecordingFileDialog::tr("All files (*)")});
    });
    return dialog;
}

QString recordingFileName(const QString& base) {
    return base + u'.' + suffix;
}

}  // namespace lockkeeper::ui
