// SPDX-License-Identifier: Apache-2.0
#pragma once

class QTableView;

namespace lockkeeper::ui {

// How this program shows rows of text: whole rows are selected, none is edited, long texts are cut in the middle, and
// the rows are as high as a line needs.
void showAsRows(QTableView& view);

}  // namespace lockkeeper::ui
