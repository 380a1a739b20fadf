package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.bugs.PlantedBugs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a planted bug. */
final class BugName implements ITypeConverter<PlantedBug> {

    @Override
    public PlantedBug convert(String text) {
        return PlantedBugs.all().stream()
                .filter(bug -> bug.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "bug '" + text + "' is refused: there is none of that name; the command 'bugs' lists them"));
    }
}
