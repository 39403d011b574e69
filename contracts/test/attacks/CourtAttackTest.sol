// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @notice Delivered work of any value on either market, the steps of a dispute about it, and what each side has won
/// or lost in the end. Each abstract test has two concrete ones: the standard market, and micro by `OnMicro`.
abstract contract CourtAttackTest is AttackTest {
    uint16 internal constant WHOLE = 10_000;

    /// @dev What both sides owned when the work was delivered; the disputed milestone D lay in escrow then, so that a
    /// poster who gets it back has won D.
    Wealth internal posterThen;
    Wealth internal workerThen;
    address internal sponsor = makeAddr("sponsor");
    uint96 internal atStake;

    function setUp() public virtual override {
        super.setUp();
        // Enough for several tasks of ten million TOK and their bonds.
        tok.transfer(poster, 100_000_000e18);
        tok.transfer(worker, 10_000_000e18);
        equip(sponsor);
        courtAs(arbitrator).registerArbitrator(1_000_000e18, 0);
    }

    // Amounts

    function amounts() internal pure returns (uint96[5] memory) {
        return [uint96(10e18), 1_000e18, 100_000e18, 1_000_000e18, 10_000_000e18];
    }

    /// @dev Plays the same case from the same beginning with every amount, which it finds in `atStake`.
    modifier atEveryAmount() {
        for (uint256 index = 0; index < amounts().length; ++index) {
            uint256 snapshot = vm.snapshotState();
            atStake = amounts()[index];
            _;
            vm.revertToState(snapshot);
        }
    }

    function boundAmount(uint256 amount) internal pure returns (uint96) {
        return uint96(bound(amount, 10e18, 10_000_000e18));
    }

    /// @dev F, what each side puts up.
    function feeOf(uint96 amount) internal pure returns (int256) {
        return int256(uint256(amount) / 20);
    }

    function collateral() internal view returns (int256) {
        return int256(uint256(parameters().bondUsdc));
    }

    // Ways to a dispute

    /// @dev Work worth `amount` is delivered and is all that escrow holds. What is too small for a task is the last
    /// milestone of a larger one.
    function deliveredWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = activeWorth(amount);
        deliver(taskId);
        remember();
    }

    function activeWorth(uint96 amount) internal returns (uint256 taskId) {
        uint96 minTotal = parameters().minTotal;
        if (amount >= minTotal) return activeWith(amount, noMilestones());
        taskId = activeWith(minTotal + amount, pair(minTotal, amount));
        deliver(taskId);
        accept(taskId);
    }

    function pair(uint96 first, uint96 second) internal pure returns (uint96[] memory list) {
        list = new uint96[](2);
        list[0] = first;
        list[1] = second;
    }

    function remember() internal {
        posterThen = wealthOf(poster);
        workerThen = wealthOf(worker);
    }

    function disputedWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = deliveredWorth(amount);
        openDispute(taskId);
    }

    function answeredWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = disputedWorth(amount);
        answerWithBond(taskId, worker);
    }

    function unbondedWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = disputedWorth(amount);
        answerWithoutBond(taskId);
    }

    function assignedWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = answeredWorth(amount);
        agree(taskId, arbitrator);
    }

    function escalatedWorth(uint96 amount) internal returns (uint256 taskId) {
        taskId = answeredWorth(amount);
        skip(3 days + 1);
        court.escalate(taskId);
    }

    /// @dev Without a look at the task first, so that a revert can be expected.
    function deliverJunk(uint256 taskId, uint8 milestone) internal {
        registryAs(worker).submitProof(taskId, milestone, keccak256("junk"), "ipfs://junk");
    }

    /// @dev Without a look at the task first.
    function openDisputeOf(uint256 taskId, uint64 deliveredAt) internal {
        registryAs(poster).openDispute(taskId, deliveredAt, true, EVIDENCE, EVIDENCE_URI);
    }

    // Ways out

    function rule(uint256 taskId, uint16 workerBps) internal {
        address judge = court.disputeOf(taskId).judge;
        if (court.disputeOf(taskId).rulingFrom > clock()) waiveHearing(taskId);
        courtAs(judge).resolveDispute(taskId, workerBps, REASON, REASON_URI);
    }

    function concede(address party, uint256 taskId) internal {
        Phase phase = court.phaseOf(taskId);
        courtAs(party).concede(taskId, phase);
    }

    /// @dev The worker signs, the poster sends.
    function settle(uint256 taskId, uint16 workerBps) internal {
        uint64 validUntil = clock();
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(taskId, workerBps, validUntil));
        courtAs(poster).mutualSettle(taskId, workerBps, validUntil, "", workerSig);
    }

    function lapse(uint256 taskId) internal {
        vm.warp(court.disputeOf(taskId).phaseEnds + 1);
        court.resolveTimedOut(taskId);
    }

    /// @dev Leaves an account exactly this much TOK.
    function leaveTok(address agent, uint256 rest) internal {
        uint256 balance = tok.balanceOf(agent);
        tokAs(agent).transfer(address(this), balance - rest);
    }

    // What came of it

    /// @dev Both sides' results since the delivery. Nothing of the case may be left in escrow or in the court.
    function assertEnd(
        uint256 taskId,
        int256 posterTok,
        int256 posterUsdc,
        int256 workerTok,
        int256 workerUsdc
    ) internal view {
        assertOutcome(poster, posterThen, posterTok, posterUsdc);
        assertOutcome(worker, workerThen, workerTok, workerUsdc);
        assertClosed(taskId);
    }

    function assertClosed(uint256 taskId) internal view {
        assertPhase(taskId, Phase.CLOSED);
        assertEq(escrow.held(taskId), 0, "nothing is left in escrow");
        assertEq(tok.balanceOf(address(court)), court.totalBonded(), "nothing is left in the court");
    }

    /// @dev TOK and USDC in one figure, at the price of the fixture: 200 TOK are one USDC.
    function inTok(int256 tokWon, int256 usdcWon) internal pure returns (int256) {
        return tokWon + usdcWon * 200e12;
    }

    function posterNet() internal view returns (int256) {
        return net(poster, posterThen);
    }

    function workerNet() internal view returns (int256) {
        return net(worker, workerThen);
    }

    function net(address agent, Wealth memory before) internal view returns (int256) {
        return inTok(tokGain(agent, before), int256(wealthOf(agent).usdc) - int256(before.usdc));
    }

    function share(int256 amount, uint16 bps) internal pure returns (int256) {
        return (amount * int256(uint256(bps))) / 10_000;
    }

    function scoreOf(address agent) internal view returns (int256 score) {
        (, score) = reputation.reputationOf(agent);
    }

    // Errors
}
