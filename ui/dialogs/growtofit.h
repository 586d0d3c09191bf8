// SPDX-License-Identifier: Apache-2.0
#pragma once

class QDialog;

namespace lockkeeper::ui {

// Makes an open dialog as high as its wrapped texts need after one of them became longer or appeared; Qt does so only
// once, at the first show. At most as high as the screen, and moved up until its end is on it. Never shrinks: what the
// reader has under the pointer stays there.
void growToFit(QDialog& dialog);

// Makes the dialog as low as its texts allow, after the reader has folded a part of it.
void shrinkToFit(QDialog& dialog);

}  // namespace lockkeeper::ui
