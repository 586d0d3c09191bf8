// SPDX-License-Identifier: Apache-2.0
#pragma once

class QDialog;

namespace lockkeeper::ui {

// Makes an open dialog as high as its wrapped texts need after one of them became longer or appeared; Qt does so only
// once, at the first show. Never shrinks: what the reader has under the pointer stays there.
void growToFit(QDialog& dialog);

}  // namespace lockkeeper::ui
