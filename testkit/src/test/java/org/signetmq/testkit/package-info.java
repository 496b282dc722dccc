/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests of several modules share. It knows no class of Signet. */
@NullMarked
package org.signetmq.testkit;

import org.jspecify.annotations.NullMarked;
