package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.bugs.PlantedBugs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a planted bug. */
final class BugName implements ITypeConverter<PlantedBug> {

    @Override
    public PlantedBug convert(String text) {
        try {
            return PlantedBugs.named(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
