package dev.leasehold.simulator.cli;
import picocli.CommandLine.Command;
@Command(name = "estimate")
final class EstimateCommand implements Runnable {
    EstimateCommand(Parts parts, Terminal terminal) {}
    @Override
    public void run() {}
}
