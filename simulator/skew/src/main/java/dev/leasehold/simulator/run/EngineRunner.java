package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.world.Workers;

/** Plays plans with the engine that is on the class path, one after the other. */
public final class EngineRunner implements HistoryRunner {

    private final Workers workers = new Workers();
    private final EngineAssembly assembly;

    /** Of engines as they are. */
    public EngineRunner() {
        this(EngineAssembly.UNCHANGED);
    }

    /**
     * Of engines with other parts.
     *
     * @param assembly what they are put together from
     */
    public EngineRunner(EngineAssembly assembly) {
        this.assembly = assembly;
    }

    @Override
    public History run(Plan plan) {
        return new SimulationRun(plan, workers, assembly).play();
    }

    @Override
    public void close() {
        workers.close();
    }
}
