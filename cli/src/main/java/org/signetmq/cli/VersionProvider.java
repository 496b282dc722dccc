/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest states. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = VersionProvider.class.getPackage().getImplementationVersion();
        return new String[] {"signet " + (version == null ? "(not packaged)" : version)};
    }
}
