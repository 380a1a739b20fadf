package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.run.EngineAssembly;

/** How a mutant differs from the engine. */
public sealed interface Mutation {

    /** It is put together from other parts. */
    record Parts(EngineAssembly assembly) implements Mutation {}

    /** A public function of it, with neither state nor effects, gives another result. */
    record Function(Patch patch) implements Mutation {}
}
