import ArgumentParser

@main
struct GatewayCommandMain: ParsableCommand {
    func run() throws {}
}
