package dev.leasehold.simulator.store;

import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.simulator.plan.Setting;
import dev.leasehold.simulator.world.Draws;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.Wire;
import dev.leasehold.simulator.world.World;
import java.util.UUID;

/** A replica set with the documents of one namespace, and what befalls it. */
public final class SimulatedDatabase {

    private static final long WATCH_NANOS = 500_000_000;

    private final Server server;
    private int clients;
    private int[] engines = new int[0];

    /** One that asks its change streams again as often as the engine's contract says. */
    public SimulatedDatabase(World world, Wire wire, Setting setting) {
        this(world, wire, setting, 0, WATCH_NANOS);
    }

    /**
     * An empty database.
     *
     * @param world in which it lives
     * @param wire on which its clients reach it
     * @param setting how it fares
     * @param seed of what is drawn for it
     * @param watchNanos for how long a change stream waits for changes at a time
     */
    public SimulatedDatabase(World world, Wire wire, Setting setting, long seed, long watchNanos) {
        Setting.Database database = setting.database();
        Versions versions = new Versions(world, database, new Draws(seed));
        Primary primary = new Primary(world, versions, database.lifetimeNanos(), database.sweepNanos());
        this.server = new Server(
                world, wire, primary, versions, setting.commandNanos(), watchNanos, database.watches());
    }

    /** The store of an engine that starts on this program's machine: the next of that machine, as the history counts them. */
    public LeaseStore connect(Program program, String namespace) {
        int machine = program.host().number();
        return new SimulatedStore(server, program, namespace, newSession(machine), nextEngine(machine));
    }

    private int nextEngine(int machine) {
        if (machine >= engines.length) {
            engines = java.util.Arrays.copyOf(engines, machine + 1);
        }
        return engines[machine]++;
    }

    /** Its id tells the order in which clients came. */
    private ServerSession newSession(int machine) {
        int client = ++clients;
        return server.primary().session(new UUID(0x4000L, 0x8000_0000_0000_0000L | client), machine);
    }

    /** The newest version, which counts back when writes are lost. */
    public long version() {
        return server.versions().newest().number();
    }
}
