/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.signetmq.keystore.KeyAlgorithm;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the names of key algorithms. */
final class KeyAlgorithmConverter implements ITypeConverter<KeyAlgorithm> {
    @Override
    public KeyAlgorithm convert(String value) {
        return KeyAlgorithm.named(value)
                .orElseThrow(() -> new TypeConversionException("'" + value + "' is none of "
                        + Arrays.stream(KeyAlgorithm.values())
                                .map(KeyAlgorithm::label)
                                .collect(Collectors.joining(", "))));
    }
}
