// SPDX-License-Identifier: Apache-2.0
// A call over several lines is an offence, too.
// clang-format off
// Each line is an offence that checkplaintext.cmake must find; never compiled.
label = new QLabel(name.display(), parent);
item->setToolTip(column, name.display());
widget->setToolTip(
    name.display());
        case Qt::ToolTipRole:
            return display(row);
QToolTip::showText(position, name.display());
view->setHtml(text);
QMessageBox::warning(parent, title, name.display());
auto* dialog = new QInputDialog(parent);
