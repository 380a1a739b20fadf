package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.world.Workers;

/** Plays plans with the engine that is on the class path, one after the other. */
public final class EngineRunner implements HistoryRunner {

    private final Workers workers = new Workers();

    @Override
    public History run(Plan plan) {
        return new Stage(plan, workers).play();
    }

    @Override
    public void close() {
        workers.close();
    }
}
