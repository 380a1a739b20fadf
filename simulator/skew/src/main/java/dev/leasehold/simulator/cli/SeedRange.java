package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Seeds;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 17..42}. */
final class SeedRange implements ITypeConverter<Seeds.Range> {

    @Override
    public Seeds.Range convert(String text) {
        int dots = text.indexOf("..");
        try {
            return dots < 0
                    ? new Seeds.Range(Long.parseLong(text), Long.parseLong(text))
                    : new Seeds.Range(
                            Long.parseLong(text.substring(0, dots)), Long.parseLong(text.substring(dots + 2)));
        } catch (NumberFormatException e) {
            throw new TypeConversionException("seeds '" + text + "' are refused: they are written like 17..42");
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
