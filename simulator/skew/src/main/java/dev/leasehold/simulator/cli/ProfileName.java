package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.plan.Profile;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the word of a profile. */
final class ProfileName implements ITypeConverter<Profile> {

    @Override
    public Profile convert(String text) {
        try {
            return Profile.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage() + "; there are "
                    + Arrays.stream(Profile.values()).map(Profile::word).collect(Collectors.joining(", ")));
        }
    }
}
