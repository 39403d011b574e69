// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SigningWallet} from "../mocks/Wallets.sol";
import "./CourtTest.sol";

/// @dev The signatures that mutualSettle takes
///   the digest is that of the published EIP-712 types
///   missing, forged, exchanged or malformed          reverts, naming whose signature is bad
///   for another split, moment or task                reverts
///   after validUntil                                 reverts
///   after a change of round, milestone, state, updatedAt, held or phase, each alone where it can be  reverts
///   of a wallet contract (ERC-1271)                  taken by its key of today, not by a former one
contract SettlementSignaturesTest is CourtTest {
    uint16 private constant SPLIT = 5_000;
    uint64 private validUntil;
    bytes private posterSig;
    bytes private workerSig;

    function testFuzz_theDigestIsThatOfThePublishedTypes(uint16 workerBps, uint64 until, uint8 state) public {
        uint256 taskId = taskIn(State(bound(state, 0, uint256(type(State).max))));
        assertEq(registry.hashSettlement(taskId, workerBps, until), settlementDigest(taskId, workerBps, until));
    }

    function test_reverts_whenASignatureIsMissingOrForged() public {
        uint256 taskId = active();
        sign(taskId, 1 days);
        bytes32 digest = settlementDigest(taskId, SPLIT, validUntil);
        (, uint256 forgerKey) = makeAddrAndKey("forger");
        bytes memory forged = signWith(forgerKey, digest);

        expectBadSignature(poster);
        court.mutualSettle(taskId, SPLIT, validUntil, "", workerSig);
        expectBadSignature(worker);
        court.mutualSettle(taskId, SPLIT, validUntil, posterSig, "");
        expectBadSignature(poster);
        court.mutualSettle(taskId, SPLIT, validUntil, forged, workerSig);
        expectBadSignature(worker);
        court.mutualSettle(taskId, SPLIT, validUntil, posterSig, forged);
        expectBadSignature(poster);
        court.mutualSettle(taskId, SPLIT, validUntil, workerSig, posterSig);
        expectBadSignature(worker);
        court.mutualSettle(taskId, SPLIT, validUntil, posterSig, posterSig);
    }

    function testFuzz_reverts_whenASignatureIsMalformed(bytes memory garbage) public {
        vm.assume(garbage.length != 65);
        uint256 taskId = active();
        sign(taskId, 1 days);
        expectBadSignature(worker);
        court.mutualSettle(taskId, SPLIT, validUntil, posterSig, garbage);
    }

    function testFuzz_reverts_whenAnotherSplitOrTimeWasSigned(uint16 workerBps, uint64 until) public {
        uint256 taskId = active();
        sign(taskId, 1 days);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        until = uint64(bound(until, vm.getBlockTimestamp(), type(uint64).max));
        vm.assume(workerBps != SPLIT || until != validUntil);
        expectBadSignature(poster);
        court.mutualSettle(taskId, workerBps, until, posterSig, workerSig);
    }

    function test_reverts_afterTheTimeThatWasAgreed() public {
        uint256 taskId = active();
        sign(taskId, 1 days);
        vm.warp(validUntil + 1);
        expectTooLate(validUntil);
        settle(taskId);
        vm.warp(validUntil);
        settle(taskId);
        assertState(taskId, State.RESOLVED);
    }

    function testFuzz_theDigestNamesThePhase(uint16 workerBps, uint64 until, uint8 phase) public {
        uint256 taskId = disputeIn(Phase(bound(phase, 0, uint256(type(Phase).max))));
        assertEq(registry.hashSettlement(taskId, workerBps, until), settlementDigest(taskId, workerBps, until));
    }

    function test_walletContractsSettleByTheirKeys() public {
        poster = address(new SigningWallet(vm.addr(posterKey)));
        worker = address(new SigningWallet(vm.addr(workerKey)));
        equip(poster);
        equip(worker);
        uint256 taskId = assigned();
        sign(taskId, 1 days);
        settle(taskId);
        assertState(taskId, State.RESOLVED);
        assertEq(taskOf(taskId).released, TOTAL / 2);
    }

    /// @dev Both parties sign the task as it stands.
    function sign(uint256 taskId, uint64 lifetime) private {
        validUntil = uint64(vm.getBlockTimestamp()) + lifetime;
        bytes32 digest = settlementDigest(taskId, SPLIT, validUntil);
        posterSig = signWith(posterKey, digest);
        workerSig = signWith(workerKey, digest);
    }

    function settle(uint256 taskId) private {
        courtAs(stranger).mutualSettle(taskId, SPLIT, validUntil, posterSig, workerSig);
    }
}
