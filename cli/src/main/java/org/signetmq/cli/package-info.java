/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.cli;

import org.jspecify.annotations.NullMarked;
