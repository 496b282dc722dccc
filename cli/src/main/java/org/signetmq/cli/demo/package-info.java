/* SPDX-License-Identifier: Apache-2.0 */
/** The whole path in one run: producers of four protocols, a real broker with the plugin, the consumer library. */
@NullMarked
package org.signetmq.cli.demo;

import org.jspecify.annotations.NullMarked;
