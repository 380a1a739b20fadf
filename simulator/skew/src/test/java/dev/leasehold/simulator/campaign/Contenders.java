package dev.leasehold.simulator.campaign;

import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.simulator.history.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The processes of a campaign, each with a network of its own. For one thread at a time. */
final class Contenders implements AutoCloseable {

    /** One place: when its process is killed another one comes, through the same network. */
    private final class Place {

        private final int number;
        private final ClientNetwork network = ClientNetwork.open();
        private final List<ContenderProcess> processes = new ArrayList<>();

        Place(int number) {
            this.number = number;
        }

        void start() throws IOException {
            String name = new ProcessName(number, processes.size()).toString();
            processes.add(ContenderProcess.start(folder, network.uri(database.uri()), name, random.nextLong(), leases));
        }

        ContenderProcess latest() {
            return processes.get(processes.size() - 1);
        }
    }

    private final TestDatabase database;
    private final Path folder;
    private final List<String> leases;
    private final SplittableRandom random;
    private final List<Place> places = new ArrayList<>();

    Contenders(TestDatabase database, Path folder, List<String> leases, SplittableRandom random) {
        this.database = database;
        this.folder = folder;
        this.leases = leases;
        this.random = random;
    }

    /** Starts so many, and waits until all their engines are there. */
    void start(int count) throws IOException {
        for (int number = 0; number < count; number++) {
            places.add(new Place(number));
            places.get(number).start();
        }
        places.forEach(place -> place.latest().awaitReady());
    }

    void cutNetwork(Fault fault) throws InterruptedException {
        ClientNetwork network = fault.pick(places).network;
        network.cut(fault.cut());
        Thread.sleep(fault.durationMillis());
        network.mend();
    }

    void pause(Fault fault) throws IOException, InterruptedException {
        fault.pick(places).latest().pause(fault.durationMillis());
    }

    void replace(Fault fault) throws IOException, InterruptedException {
        Place place = fault.pick(places);
        place.latest().kill();
        place.start();
    }

    /** Lets all end in their own way, and returns the journals of those that were killed too. */
    List<Event> stop() throws InterruptedException {
        for (Place place : places) {
            place.latest().awaitReady();
            place.latest().stop();
        }
        List<Event> events = new ArrayList<>();
        for (Place place : places) {
            for (ContenderProcess process : place.processes) {
                events.addAll(process == place.latest() ? process.awaitEnd() : process.journalOfTheDead());
            }
        }
        return events;
    }

    /** Ends whatever still runs. */
    @Override
    public void close() {
        for (Place place : places) {
            place.processes.forEach(ContenderProcess::close);
            place.network.close();
        }
    }
}
