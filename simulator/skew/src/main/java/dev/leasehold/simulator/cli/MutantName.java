package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a mutant. */
final class MutantName implements ITypeConverter<Mutant> {

    @Override
    public Mutant convert(String text) {
        try {
            return Mutants.named(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
